import BridgeJSON
import Foundation

extension FuzzTarget {
    /// Values to Swift types and back.
    static let coding = FuzzTarget(name: "coding", generate: codable) { bytes throws(FuzzFault) in
        guard let json = try? JSON(parsing: bytes) else { return }
        try require((try? JSON.decode(JSON.self, from: json)) == json, "a value is no value to the decoder")
        try require((try? JSON.encode(json)) == json, "a value is no value to the encoder")
        let sample: Sample
        do throws(JSONCodingError) {
            sample = try JSON.decode(Sample.self, from: json)
        } catch {
            return try require(!error.description.isEmpty, "an error says nothing")
        }
        // What a decoder made of it once goes back and forth as it is; dates are rounded the first time.
        let both: (JSON, JSON)
        do throws(JSONCodingError) {
            let encoded = try JSON.encode(sample)
            both = (encoded, try JSON.encode(try JSON.decode(Sample.self, from: encoded)))
        } catch {
            throw FuzzFault("what was decoded is not encoded, or that not decoded: \(error)")
        }
        try require(both.0 == both.1, "\(both.0) is encoded as \(both.1) the second time")
    }

    private static func codable(_ random: inout FuzzRandom) -> [UInt8] {
        func value(_ random: inout FuzzRandom) -> [UInt8] {
            random.once(in: 6) ? JSONText.value(&random, depth: 3) : Array(random.pick(values).utf8)
        }
        var bytes = Array("{".utf8)
        for name in [
            "i8", "u64", "d", "f", "s", "list", "map", "date", "data", "url", "decimal", "inner", "any", "flag",
        ]
        where random.below(3) > 0 {
            if bytes.count > 1 { bytes += "," }
            bytes += "\"\(name)\":"
            switch name {
            case "list": bytes += Array("[") + value(&random) + Array(",") + value(&random) + Array("]")
            case "map": bytes += Array("{\"é\":") + value(&random) + Array(",\"k\":") + value(&random) + Array("}")
            case "inner": bytes += Array("{\"s\":") + value(&random) + Array("}")
            default: bytes += value(&random)
            }
        }
        bytes += "}"
        if random.once(in: 3) { random.mutate(&bytes, tokens: values.map { Array($0.utf8) }) }
        return bytes
    }

    private static let values = [
        "1", "-128", "127", "128", "255", "1.0", "1e2", "18446744073709551615", "0.1", "3.4028235e38", "1e39", "-0",
        "1e400", "true", "null", "\"\"", "\"x\"", "\"2024-02-29T12:00:00Z\"", "\"2023-02-29T12:00:00Z\"",
        "\"9999-12-31T23:59:59.999Z\"", "\"0001-01-01T00:00:00+14:00\"", "\"1969-12-31T23:59:59.9995Z\"", "\"AAEC\"",
        "\"AA==\"", "\"http://a/b?c\"", "\"\\ud800\"", "[]", "{}", "123456789012345678901234567890123456789",
        "0.00000000000000000000000000001", "\"+10000-01-01T00:00:00Z\"", "\"2024-06-30T23:59:60Z\"",
    ]

    private final class Sample: Codable {
        var i8: Int8?
        var u64: UInt64?
        var d: Double?
        var f: Float?
        var s: String?
        var list: [Double?]?
        var map: [String: JSON]?
        var date: Date?
        var data: Data?
        var url: URL?
        var decimal: Decimal?
        var inner: Sample?
        var any: JSON?
        var flag: Bool?
    }
}

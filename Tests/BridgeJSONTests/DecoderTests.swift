import BridgeJSON
import Foundation
import Testing

/// Decodes a text and encodes the result again.
private func recode<T: Codable>(_ type: T.Type, _ text: String) throws -> String {
    try JSON.encode(JSON.decode(type, from: JSON(parsing: text))).text
}

private enum Color: String, Codable { case red, green }
private enum Shape: Codable { case circle(radius: Double), square(side: Int), point }
private struct Typed: Codable { var id: Int, price: Double, tags: [String], note: String? }

struct CodingTests {
    @Test func recodes() throws {
        #expect(
            try recode(Typed.self, #"{"id":7,"price":9.75,"tags":["a","b"],"note":null}"#)
                == #"{"id":7,"price":9.75,"tags":["a","b"]}"#)
        #expect(try recode(Shape.self, #"{"circle":{"radius":1.5}}"#) == #"{"circle":{"radius":1.5}}"#)
        #expect(try recode([Color?].self, #"["red",null]"#) == #"["red",null]"#)
        #expect(
            try recode([Date].self, #"["2026-05-01T12:04:11.25+02:00","2026-05-01T12:04:11Z"]"#)
                == #"["2026-05-01T10:04:11.250Z","2026-05-01T12:04:11Z"]"#)
        #expect(try recode([String: URL].self, #"{"a":"http://x/y"}"#) == #"{"a":"http://x/y"}"#)
        #expect(try recode(Data.self, #""AQID""#) == #""AQID""#)
        #expect(
            try recode([Decimal].self, "[0.1,12345678901234567890123456789012345678]")
                == "[0.1,12345678901234567890123456789012345678]")
        #expect(try recode(JSON.self, #"[1e400,{"x":"\ud800"}]"#) == #"[1e400,{"x":"\ud800"}]"#)
        #expect(try recode([UInt64].self, "[18446744073709551615,1.0,1e2]") == "[18446744073709551615,1,100]")
    }

    @Test func errors() throws {
        func failure<T: Decodable>(_ type: T.Type, _ text: String) -> String {
            do { _ = try JSON.decode(type, from: JSON(parsing: text)); return "none" } catch { return "\(error)" }
        }
        #expect(failure(Typed.self, #"{"id":1,"price":2,"tags":["a",1]}"#) == "$.tags[1]: expected a string, found 1")
        #expect(
            failure(Typed.self, #"{"id":1,"tags":["a",1]}"#)
                == "$.price: expected a number, found nothing: member `price` is missing")
        #expect(failure([Int8].self, "[128]") == "$[0]: expected an integer from -128 to 127, found 128")
        #expect(failure([Double].self, "[1e400]") == "$[0]: expected a number that fits Double, found 1e400")
        #expect(failure([Date].self, #"["2026"]"#) == "$[0]: expected a date in ISO 8601 form, found a string")
        #expect(failure([Color].self, #"["blue"]"#).hasPrefix("$[0]: "))
        #expect(failure([String: Bool].self, #"{"a b":1}"#) == #"$["a b"]: expected true or false, found 1"#)
        #expect(
            failure([Int].self, "[true]")
                == "$[0]: expected an integer from -9223372036854775808 to 9223372036854775807, found true")
    }

    @Test func unencodable() {
        #expect(throws: JSONCodingError.self) { try JSON.encode(["bad": [1, Double.nan]]) }
        do { _ = try JSON.encode(["bad": [1, Double.nan]]) } catch {
            #expect("\(error)" == "$.bad[1]: expected a finite number, found nan")
        }
    }
}

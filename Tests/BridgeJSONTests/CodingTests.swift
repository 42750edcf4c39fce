import BridgeJSON
import Foundation
import Testing

/// Decodes a text and encodes the result again.
private func recode<T: Codable>(_ type: T.Type, _ text: String) throws -> String {
    try JSON.encode(JSON.decode(type, from: JSON(parsing: text))).text
}

private func failure<T: Decodable>(_ type: T.Type, _ text: String) -> String {
    do { return "none: \(try JSON.decode(type, from: JSON(parsing: text)))" } catch { return "\(error)" }
}

private enum Color: String, Codable { case red, green }
private enum Shape: Codable { case circle(radius: Double), square(Int), point }
private struct Typed: Codable { var id: Int, price: Double, tags: [String], note: String? }
private struct Order: Codable { var items: [Typed], due: Date?, extra: JSON? }
private class Base: Codable { var base = 1 }
private final class Derived: Base {
    var derived = 2
    enum CodingKeys: CodingKey { case derived }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
        derived = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .derived)
        try super.init(from: decoder.container(keyedBy: CodingKeys.self).superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(derived, forKey: .derived)
        try super.encode(to: container.superEncoder())
    }
}

struct CodingTests {
    @Test func recodesWhatSynthesizedCodeSays() throws {
        let typed = #"{"id":7,"price":9.75,"tags":["a","b"]}"#
        #expect(try recode(Typed.self, #"{"id":7.0,"price":9.75,"tags":["a","b"],"note":null,"more":1}"#) == typed)
        #expect(
            try recode([Shape].self, #"[{"circle":{"radius":1.5}},{"square":{"_0":-2}},{"point":{}}]"#)
                == #"[{"circle":{"radius":1.5}},{"square":{"_0":-2}},{"point":{}}]"#)
        #expect(try recode([Color?].self, #"["red",null]"#) == #"["red",null]"#)
        #expect(try recode(Derived.self, #"{"derived":3,"super":{"base":4}}"#) == #"{"derived":3,"super":{"base":4}}"#)
        #expect(try recode([String: [Int: Bool]].self, #"{"a":{"5":true}}"#) == #"{"a":{"5":true}}"#)
        #expect(try recode([[[String]]].self, #"[[[],["a"]],[]]"#) == #"[[[],["a"]],[]]"#)
        #expect(try recode(String?.self, "null") == "null")
        #expect(try recode(String.self, "\"top\"") == "\"top\"")
        #expect(try recode([Double].self, "[0e1,-0,1e2,0.1]") == "[0,-0,100,0.1]")
        #expect(try recode(Float.self, "0.1") == "0.1")
    }

    @Test func recodesSpecialTypesAtEveryDepth() throws {
        #expect(
            try recode([Date?].self, #"["2026-05-01T12:04:11.25+02:00",null]"#) == #"["2026-05-01T10:04:11.250Z",null]"#
        )
        #expect(try recode([String: URL].self, #"{"a":"http://x/y?z=%20"}"#) == #"{"a":"http://x/y?z=%20"}"#)
        #expect(try recode(Data.self, #""AQID""#) == #""AQID""#)
        let decimals = "[0.1,12345678901234567890123456789012345678,-1.5]"
        #expect(try recode([Decimal].self, decimals) == decimals)
        #expect(try recode(JSON.self, #"[1e400,{"x":"\ud800"},-0]"#) == #"[1e400,{"x":"\ud800"},-0]"#)
        #expect(
            try recode(Order.self, #"{"items":[],"due":"2026-05-01T12:04:11Z","extra":{"b":1.0,"a":[true]}}"#)
                == #"{"items":[],"due":"2026-05-01T12:04:11Z","extra":{"b":1.0,"a":[true]}}"#)
    }

    @Test func integersAreExact() throws {
        #expect(try recode([UInt64].self, "[18446744073709551615,1.0,1e2,-0]") == "[18446744073709551615,1,100,0]")
        #expect(
            try recode([Int64].self, "[-9223372036854775808,9007199254740993]")
                == "[-9223372036854775808,9007199254740993]")
        #expect(
            try recode([Int128].self, "[-170141183460469231731687303715884105728]")
                == "[-170141183460469231731687303715884105728]")
        #expect(
            try recode([UInt128].self, "[340282366920938463463374607431768211455]")
                == "[340282366920938463463374607431768211455]")
        #expect(failure([UInt128].self, "[340282366920938463463374607431768211456]") != "none")
    }

    @Test(arguments: [
        (failure(Typed.self, #"{"id":1,"price":2,"tags":["a",1]}"#), "$.tags[1]: expected a string, found 1"),
        (
            failure(Typed.self, #"{"id":1,"tags":[]}"#),
            "$.price: expected a number, found nothing: member `price` is missing"
        ),
        (
            failure(Typed.self, #"{"id":true,"price":2,"tags":[]}"#),
            "$.id: expected an integer from \(Int.min) to \(Int.max), found true"
        ),
        (failure(Typed.self, #"{"id":1,"price":2,"tags":null}"#), "$.tags: expected an array, found null"),
        (failure(Typed.self, "[]"), "$: expected an object, found an array"),
        (
            failure(Order.self, #"{"items":[{"id":1,"price":"2","tags":[]}]}"#),
            "$.items[0].price: expected a number, found a string"
        ),
        (
            failure(Order.self, #"{"items":[],"due":"yesterday"}"#),
            "$.due: expected a date in ISO 8601 form, found a string"
        ),
        (failure([Int8].self, "[128]"), "$[0]: expected an integer from -128 to 127, found 128"),
        (failure([Int].self, "[1.5]"), "$[0]: expected an integer from \(Int.min) to \(Int.max), found 1.5"),
        (failure([Double].self, "[1e400]"), "$[0]: expected a number that fits Double, found 1e400"),
        (failure([Float].self, "[1e39]"), "$[0]: expected a number that fits Float, found 1e39"),
        (failure([Bool].self, "[1]"), "$[0]: expected true or false, found 1"),
        (failure([URL].self, #"[""]"#), "$[0]: expected a URL, found a string"),
        (failure([Data].self, #"["?"]"#), "$[0]: expected a string in base64, found a string"),
        (
            failure([Decimal].self, "[1e999]"),
            "$[0]: expected a number of at most 38 digits that fits Decimal, found 1e999"
        ),
        (failure([String: Bool].self, #"{"a b":1}"#), #"$["a b"]: expected true or false, found 1"#),
        (failure([String: Bool].self, #"{"5":1}"#), #"$["5"]: expected true or false, found 1"#),
        (failure([Color].self, #"["blue"]"#), "$[0]: Cannot initialize Color from invalid String value blue"),
    ])
    func saysWhereAndWhatWasExpected(description: String, expected: String) {
        #expect(description == expected)
    }

    private struct Picky: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            switch try container.decode(String.self) {
            case "corrupt": throw DecodingError.dataCorruptedError(in: container, debugDescription: "an even number")
            case "own": throw CancellationError()
            default: _ = try container.decode(Int.self)
            }
        }
    }

    @Test func errorsOfTheApplicationStay() throws {
        #expect(failure([String: Picky].self, #"{"a":["corrupt"]}"#) == "$.a[1]: an even number")
        #expect(failure([Picky].self, #"[["end"]]"#).hasPrefix("$[0][1]: expected an integer"))
        let error = try #require(throws: JSONCodingError.self) { try JSON.decode(Picky.self, from: ["own"]) }
        #expect(error.underlying is CancellationError)
    }

    /// Its own coding throws an error that knows of no path.
    private struct Price: Codable {
        struct Negative: Error {}
        var cents: Int
        init(from decoder: any Decoder) throws {
            cents = try decoder.singleValueContainer().decode(Int.self)
            if cents < 0 { throw Negative() }
        }
        init(_ cents: Int) { self.cents = cents }
        func encode(to encoder: any Encoder) throws {
            if cents < 0 { throw Negative() }
            var container = encoder.singleValueContainer()
            try container.encode(cents)
        }
    }

    private struct Cart: Codable {
        var items: [[String: Price]]
        var lenient: Price?
        var total: Price
        enum CodingKeys: CodingKey { case items, lenient, total }
        init(_ items: [[String: Price]], total: Price) { (self.items, lenient, self.total) = (items, Price(-1), total) }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lenient = try? container.decode(Price.self, forKey: .lenient)
            items = try container.decode([[String: Price]].self, forKey: .items)
            total = try container.decode(Price.self, forKey: .total)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try? container.encode(lenient, forKey: .lenient)
            try container.encode(items, forKey: .items)
            try container.encode(total, forKey: .total)
        }
    }

    @Test func errorsOfTheApplicationHaveTheirPlace() throws {
        for (items, total, path) in [
            (#"[{"a":1},{"b":-1}]"#, "1", "$.items[1].b"), ("[]", "-1", "$.total"),
        ] {
            let json = try JSON(parsing: #"{"items":\#(items),"lenient":-1,"total":\#(total)}"#)
            let error = try #require(throws: JSONCodingError.self) { try JSON.decode(Cart.self, from: json) }
            #expect("\(error.path)" == path)
            #expect(error.underlying is Price.Negative)
        }
        for (cart, path) in [
            (Cart([["a": Price(1)], ["b": Price(-1)]], total: Price(1)), "$.items[1].b"),
            (Cart([], total: Price(-1)), "$.total"),
        ] {
            let error = try #require(throws: JSONCodingError.self) { try JSON.encode(cart) }
            #expect("\(error.path)" == path)
            #expect(error.underlying is Price.Negative)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func refusesWhatJSONCannotSay(bad: Double) throws {
        struct Reply: Encodable { var ok = true; var bad: [Double] }
        let error = try #require(throws: JSONCodingError.self) { try JSON.encode(Reply(bad: [1, bad])) }
        #expect(error.description == "$.bad[1]: expected a finite number, found \(bad)")
        var writer = JSONWriter()
        #expect(throws: JSONCodingError.self) { try JSON.encode(["a": Float(bad)], into: &writer) }
        #expect(writer.bytes.isEmpty)
    }

    private struct Nesting: Encodable {
        enum Key: CodingKey { case list, object, next, list2 }
        func encode(to encoder: any Encoder) throws {
            var top = encoder.container(keyedBy: Key.self)
            var list = top.nestedUnkeyedContainer(forKey: .list)
            var object = top.nestedContainer(keyedBy: Key.self, forKey: .object)
            try top.encode(1, forKey: .next)
            try list.encode("a")
            var inner = list.nestedContainer(keyedBy: Key.self)
            try list.encodeNil()
            try inner.encode(2, forKey: .next)
            try object.encode(list.count, forKey: .next)
            var again = top.nestedContainer(keyedBy: Key.self, forKey: .object)
            try again.encode(true, forKey: .list2)
            var innermost = list.nestedUnkeyedContainer()
            try innermost.encode(contentsOf: [1.5, 2])
        }
    }

    private struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    private struct Twofold: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var single = encoder.singleValueContainer()
            try single.encode(2)
        }
    }

    @Test func containersMayBeFilledInAnyOrder() throws {
        #expect(
            try JSON.encode(Nesting()).text
                == #"{"list":["a",{"next":2},null,[1.5,2]],"object":{"next":3,"list2":true},"next":1}"#)
        #expect(try JSON.encode([Nothing()]).text == "[{}]")
        #expect(throws: JSONCodingError.self) { try JSON.encode([Twofold()]) }
    }

    /// A container takes a name again: the last value counts, at the place of the first.
    private struct Repeating: Encodable {
        let names: [String]
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for (index, name) in names.enumerated() { try container.encode([index], forKey: AnyKey(name)) }
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test(arguments: [1, 2, 7, 8, 9, 40])
    func ofNamesThatComeAgainTheLastValueCounts(count: Int) throws {
        let names = (0..<count).map { "name\($0)" }
        for repeated in Set([0, count / 2, count - 1]) {
            let object = try JSON.encode(["a": Repeating(names: names + [names[repeated]])])["a"]?.object
            #expect(object?.members.map(\.name.string) == names)
            #expect(object?.members.map { $0.value[0]?.int } == names.indices.map { $0 == repeated ? count : $0 })
        }
        #expect(try JSON.encode(Repeating(names: ["\u{e9}", "e\u{301}"])).object?.count == 2)
    }

    @Test func doublesHaveTheirShortestDigits() throws {
        var generator = SystemRandomNumberGenerator()
        var doubles: [Double] = [
            0, -0.0, 0.1, 0.001, 0.0001, 12.5, 9.99, 1.005, -2.675, 0.3, 0.1 + 0.2, 1e14, 1e15, 123_456_789_012.345,
            999_999_999_999.999, 999_999_999_999_999, 999_999_999_999_999.9, 1e16, 1e21, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
            2_251_799_813_685.248, 4_503_599_627_370.4975,
        ]
        for _ in 0..<20_000 {
            doubles.append(Double(Int64.random(in: -(1 << 52)...(1 << 52), using: &generator)) / 1_000)
            doubles.append(Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator)))
            doubles.append((Double.random(in: -1e6...1e6, using: &generator) * 100).rounded() / 100)
        }
        for double in doubles where double.isFinite {
            let text = try JSON.encode(["x": double])["x"]?.number?.text
            let shortest = double.description
            // As JavaScript writes integers; and exponents are a matter of taste.
            let expected = shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest
            if shortest.contains("e") {
                #expect(text.flatMap(Double.init)?.bitPattern == double.bitPattern)
            } else {
                #expect(text == expected)
            }
        }
    }

    @Test func whoCatchesAnErrorGoesOn() throws {
        struct Catching: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey("one"))
                try? container.encode(Double.nan, forKey: AnyKey("nan"))
                try? container.encode(["x": [1, Double.infinity]], forKey: AnyKey("deep"))
                var list = container.nestedUnkeyedContainer(forKey: AnyKey("list"))
                try? list.encode(["x": Double.infinity])
                try list.encode(2)
                try container.encode(["y": 3], forKey: AnyKey("deep"))
            }
        }
        #expect(try JSON.encode([Catching()]).text == #"[{"one":1,"list":[2],"deep":{"y":3}}]"#)
    }

    @Test func aSingleValueThatIsSaidAgainIsTheLast() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("first")
                try container.encode([1, 2])
            }
        }
        #expect(try JSON.encode([Twice(), Twice()]).text == "[[1,2],[1,2]]")
    }

    /// Its member writes into the container that holds it.
    @Test func whatIsWrittenOutOfTurnIsRefused() throws {
        struct Intruder: Encodable {
            let outer: any UnkeyedEncodingContainer
            func encode(to encoder: any Encoder) throws {
                var (outer, own) = (outer, encoder.singleValueContainer())
                try outer.encode("out of turn")
                try own.encode(1)
            }
        }
        struct Outer: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Intruder(outer: container))
            }
        }
        #expect(throws: JSONCodingError.self) { try JSON.encode(["a": Outer()]) }
    }

    @Test func otherCodersTakeAndGiveJSON() throws {
        let json = try JSON(parsing: #"{"a":[1,-2,18446744073709551615,1.5,true,null,"x"],"b":{}}"#)
        #expect(try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(json)) == json)
        #expect(throws: (any Error).self) { try JSONEncoder().encode(JSON(parsing: "[1e400]")) }
    }
}

struct DateTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -0.001), ("2000-02-29T12:00:00Z", 951_825_600),
            ("2026-05-01T12:04:11.240Z", 1_777_637_051.24),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("+275760-09-13T00:00:00Z", 8.64e12),
            ("-271821-04-20T00:00:00Z", -8.64e12), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ] as [(String, Double)])
    func bothWays(text: String, seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try JSON.encode(date) == JSON(text))
        #expect(try abs(JSON.decode(Date.self, from: JSON(text)).timeIntervalSince(date)) < 0.000_1)
    }

    @Test(
        arguments: [
            ("2026-05-01T12:04:11+00:00", 0), ("2026-05-01t14:04:11+02:00", 0), ("2026-05-01T06:34:11-0530", 0),
            ("2026-05-01T13:04:11+01", 0),
            ("2026-05-01T12:04:11.123456789z", 0.123), ("2026-05-01T12:03:60Z", -0), ("2026-05-01T12:04:11,5Z", 0.5),
            ("2026-05-01T12:04:11.00000000000000000000001Z", 0),
        ] as [(String, Double)])
    func otherForms(text: String, fraction: Double) throws {
        let base = text.contains(":60") ? 1_777_637_040 : 1_777_637_051.0
        #expect(try abs(JSON.decode(Date.self, from: JSON(text)).timeIntervalSince1970 - base - fraction) < 0.001)
    }

    @Test(arguments: [
        "", "2026-05-01", "2026-05-01T12:04Z", "2026-05-01T12:04:11", "2026-05-01 12:04:11Z", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-05-00T00:00:00Z", "2026-05-01T24:00:00Z",
        "2026-05-01T12:60:00Z", "2026-05-01T12:04:61Z", "2026-05-01T12:04:11.Z",
        "2026-05-01T12:04:11Zx", "2026-05-01T12:04:11+2:00", "2026-05-01T12:04:11+24:00", "2026-05-01T12:04:11+02:",
        "26-05-01T12:04:11Z", "-000000-01-01T00:00:00Z",
        "2026-05-01T12:04:11+02:0", "２０２６-05-01T12:04:11Z",
    ])
    func refuses(text: String) {
        #expect(throws: JSONCodingError.self) { try JSON.decode(Date.self, from: JSON(text)) }
    }

    @Test(arguments: [Double.nan, .infinity, 8.64e12 + 1])
    func datesBeyondWhatAPageHas(seconds: Double) {
        #expect(throws: JSONCodingError.self) { try JSON.encode([Date(timeIntervalSince1970: seconds)]) }
    }
}

import BridgeJSON
import Testing

struct NumberTests {
    @Test(arguments: [
        ["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"], ["0", "-0", "0.0", "0e5", "-0E-999999999999999999999"],
        ["-1", "-1.0"],
        ["18446098363113800555", "18446098363113800555.0"], ["1e400", "10E399", "0.1e401"], ["9007199254740992"],
        ["9007199254740993"],
        ["123456789012345678901234567890", "12345678901234567890123456789e1"], ["1e-400", "0.1e-399"],
        ["1e99999999999999999999"],
        ["1e99999999999999999998"], ["1e-99999999999999999999"], ["100", "1e2", "1E+2"],
    ])
    func equalByExactValue(same: [String]) throws {
        let all = ["0", "-1", "9007199254740992", "9007199254740993", "2", "1e401", "1.00000000000000000001", "1e-401"]
        let numbers = try same.map { try #require(JSONNumber($0)) }
        for number in numbers {
            #expect(number == numbers[0] && number.hashValue == numbers[0].hashValue)
            for other in all where !same.contains(other) && !(same.contains("-0") && other == "0") {
                #expect(try number != #require(JSONNumber(other)))
            }
        }
        #expect(JSON.number(numbers[0]) != .bool(true) && JSON.number(numbers[0]) != .bool(false))
    }

    @Test(
        arguments: [
            ("1", 1, 1), ("1.0", 1, 1), ("1e2", 100, 100), ("-0", 0, -0.0), ("1.5", nil, 1.5),
            ("9223372036854775807", Int.max, 0x1p63),
            ("9223372036854775808", nil, 0x1p63), ("-9223372036854775808", Int.min, -0x1p63), ("1e400", nil, nil),
            ("-1e400", nil, nil), ("1e-400", nil, 0),
            ("1e99999999999999999999", nil, nil), ("0.1", nil, 0.1),
            ("-1.7976931348623157e308", nil, -Double.greatestFiniteMagnitude),
            ("5e-324", nil, Double.leastNonzeroMagnitude), ("123456789012345.6", nil, 123_456_789_012_345.6),
            ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_992),
            ("0.0000000000001", nil, 1e-13), ("100e-2", 1, 1), ("0e99999999999999999999", 0, 0),
        ] as [(String, Int?, Double?)])
    func converts(text: String, int: Int?, double: Double?) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.text == text)
        #expect(number.int == int)
        #expect(number.double == double)
        #expect(number.double?.sign == double?.sign)
    }

    @Test(arguments: ["", " 1", "1 ", "01", "1.", "+1", "0x1", "nan", "true", "1,2", "[1]"])
    func refusesOtherText(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test(arguments: [
        (1, "1"), (-0.0, "-0"),
        (0, "0"), (0.1, "0.1"), (1e15, "1000000000000000"), (1e16, "1e+16"), (123_456_789, "123456789"),
        (1.5e300, "1.5e+300"),
    ])
    func writesDoublesShortly(double: Double, text: String) throws {
        let number = try #require(JSONNumber(double))
        #expect(number.text == text)
        #expect(number.double == double)
        #expect(try JSON(parsing: number.text) == .number(number))
        #expect(JSONNumber(Double.nan) == nil && JSONNumber(-Double.infinity) == nil)
    }
}

struct StringTests {
    @Test(arguments: [
        (#""\udfff""#, "\u{FFFD}"), (#""\ud800""#, "\u{FFFD}"), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
        (#""\ud83d\uffff""#, "\u{FFFD}\u{FFFF}"),
        (#""a\ud83d""#, "a\u{FFFD}"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""é\udead\n""#, "é\u{FFFD}\n"),
        (#""\ud800x\udc00""#, "\u{FFFD}x\u{FFFD}"),
    ])
    func loneSurrogatesStay(text: String, string: String) throws {
        for isElement in [false, true] {
            let text = isElement ? "[\(text)]" : text
            let json = try JSON(parsing: text)
            let inner = try #require(isElement ? json[0] : json)
            let written = json.text
            #expect(written == text.replacing(#"\ud83d\ude00"#, with: "😀").replacing(#"\uffff"#, with: "\u{FFFF}"))
            #expect(inner.string == string)
            #expect(try JSON(parsing: written) == json)
            #expect(inner != JSON(string))
            #expect(try JSON.decode(String.self, from: inner) == string)
        }
        let object = try #require(JSON(parsing: "{\(text):1,\"\\ud801\":2}").object)
        #expect(object.count == 2)
        #expect(try JSON.decode([String: Int].self, from: .object(["a": 1])) == ["a": 1])
        #expect(try JSON.decode([String: Int].self, from: JSON(parsing: "{\(text):1}")) == [string: 1])
    }

    @Test func namesAreComparedByScalars() throws {
        let json = try JSON(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
        #expect(json.text == "{\"é\":1,\"e\u{301}\":2}")
        #expect(json["\u{E9}"] == 1 && json["e\u{301}"] == 2)
        #expect(JSON("\u{E9}") != JSON("e\u{301}"))
        #expect(JSON("\u{1E0B}\u{323}") != JSON("\u{1E0D}\u{307}"))
    }
}

struct ObjectTests {
    @Test(arguments: [5, 16, 17, 40])
    func setsAndRemovesInOrder(count: Int) {
        var object = JSONObject()
        for index in 0..<count { object["k\(index)"] = JSON(index) }
        object["k1"] = "one"
        #expect(object.removeValue(forKey: "k2") == 2)
        #expect(object.removeValue(forKey: "k2") == nil)
        object["k0"] = nil
        object["k2"] = "again"
        let expected = ["k1"] + (3..<count).map { "k\($0)" } + ["k2"]
        #expect(object.map(\.name.string) == expected)
        #expect(expected.allSatisfy { object[$0] != nil } && object["k0"] == nil && object["k1"] == "one")
    }

    @Test func duplicatesTakeTheLastValueAtTheFirstPlace() throws {
        #expect(try JSON(parsing: #"{"b":{"c":[[],{}]},"a":1,"b":2,"\u0061":3}"#).text == #"{"b":2,"a":3}"#)
    }

    @Test func orderDoesNotCountForEquality() throws {
        let left = try JSON(parsing: #"{"a":1,"b":[{"c":2.0,"d":null}]}"#)
        let right = try JSON(parsing: #"{"b":[{"d":null,"c":2}],"a":1e0}"#)
        #expect(left == right && left.hashValue == right.hashValue)
        for other in [
            "{\"a\":1}", "{\"a\":1,\"b\":[]}", "{\"a\":1,\"c\":[{\"c\":2,\"d\":null}]}",
            "{\"a\":1,\"b\":[{\"c\":2,\"d\":false}]}",
        ] {
            #expect(try left != JSON(parsing: other))
        }
    }

    @Test func literalsAndAccessors() {
        let json: JSON = ["a": [1, 2.5, "x", true, nil], "o": ["p": -1]]
        #expect(json.text == #"{"a":[1,2.5,"x",true,null],"o":{"p":-1}}"#)
        #expect(json["o"]?["p"]?.int == -1 && json["a"]?[1]?.double == 2.5 && json["a"]?[2]?.string == "x")
        #expect(json["a"]?[3]?.bool == true && json["a"]?[4]?.isNull == true && json["a"]?.array?.count == 5)
        #expect(
            json["a"]?[5] == nil && json["a"]?[-1] == nil && json["b"] == nil && json[0] == nil
                && json["a"]?["x"] == nil)
        #expect(json["a"]?[0]?.bool == nil && json["a"]?[3]?.int == nil && json["a"]?[3]?.double == nil)
    }
}

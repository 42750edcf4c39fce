import BridgeJSON
import Foundation
import PageModel
import Testing

@Suite struct ValueTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func aListIsSeenFromItsCurrentItem() throws {
        let items = try (0..<4).map { WebPageBackForwardList.Item(id: UInt64($0), url: try url("http://h/\($0)")) }
        let list = WebPageBackForwardList(items: items, currentIndex: 1)
        #expect(list[0] == items[1] && list[-1] == items[0] && list[1] == items[2])
        #expect(list[-2] == nil && list[3] == nil && list[.max] == nil && list[.min] == nil)
        #expect(list.backList == [items[0]] && list.forwardList == [items[2], items[3]])
        #expect(list != WebPageBackForwardList(items: items, currentIndex: 2))
    }

    @Test func anEmptyListHasNothing() {
        let list = WebPageBackForwardList(items: [], currentIndex: 0)
        #expect(list.currentIndex == nil && list.currentItem == nil && list[0] == nil)
        #expect(list.backList.isEmpty && list.forwardList.isEmpty)
    }

    @Test(arguments: [
        ("https://Example.com:443/a?b", "https://example.com"), ("http://h:8080/", "http://h:8080"),
        ("http://h:80/", "http://h"), ("about:blank", "null"), ("data:text/html,x", "null"), ("file:///a", "null"),
    ]) func anOriginIsThatOfItsURL(_ text: String, _ origin: String) throws {
        #expect(WebPageSecurityOrigin(try url(text)).description == origin)
    }

    @Test func aRequestsURLIsWhole() throws {
        let relative = try #require(URL(string: "news?a#b", relativeTo: url("http://h/dir/home")))
        var request = WebPageRequest(relative)
        #expect(request == WebPageRequest(try url("http://h/dir/news?a#b")) && request.url.baseURL == nil)
        request.url = try #require(URL(string: "/x", relativeTo: relative))
        #expect(request.url == (try url("http://h/x")) && request.url.baseURL == nil)
    }

    @Test func aChangeIsAnObjectOfTheDocumentedMembers() throws {
        let change = WebPageURLChange(
            url: try url("http://h/a"), cause: .push, isCommitted: true, index: 2, sequence: 7)
        var writer = JSONWriter()
        try JSON.encode(change, into: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"url":"http://h/a","cause":"push","committed":true,"index":2,"sequence":7}"#)
        #expect(try JSON.decode(WebPageURLChange.self, from: JSON(parsing: writer.bytes)) == change)
    }

    @Test func membersAreComparedScalarForScalar() {
        var object: JavaScriptObject = ["\u{e9}": 1]
        object["e\u{301}"] = 2
        #expect(object.count == 2 && object["\u{e9}"] == 1 && object["e\u{301}"] == 2)
        object["\u{e9}"] = nil
        #expect(object.keys.map { Array($0.unicodeScalars).count } == [2])
    }

    /// A page can post very many; looking each up among all the others took minutes.
    @Test(.timeLimit(.minutes(1))) func manyMembersTakeNoLongerEachThanFew() {
        let names = (0..<50_000).map { "member \($0)" }
        var one = JavaScriptObject()
        var other = JavaScriptObject()
        for name in names { one[name] = .string(name) }
        for name in names.reversed() { other[name] = .string(name) }
        #expect(one.count == names.count && one.keys == names && one == other)
        other[names[7]] = nil
        #expect(one != other && other[names[6]] == .string(names[6]) && other[names[8]] == .string(names[8]))
    }

    @Test func objectsAreEqualInAnyOrder() {
        let one: JavaScriptValue = ["a": 1, "b": [true, nil, "x"]]
        let other: JavaScriptValue = ["b": [true, nil, "x"], "a": 1]
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one["b"]?[2]?.string == "x" && one["b"]?[3] == nil && one["c"] == nil && one["a"]?.int == 1)
    }

    @Test(
        arguments: [
            (.undefined, "undefined"), (nil, "null"), (true, "true"), (1, "1"), (-0.0, "-0"), (1.5, "1.5"),
            (.number(.nan), "NaN"), (.number(-.infinity), "-Infinity"), ("a\"\n\u{1}é", #""a\"\n\u0001é""#),
            (.date(Date(timeIntervalSince1970: 1.5)), #"new Date("1970-01-01T00:00:01.500Z")"#),
            (.date(Date(timeIntervalSinceReferenceDate: .nan)), "new Date(NaN)"),
            (.date(Date(timeIntervalSince1970: .infinity)), "new Date(Infinity)"),
            (.date(Date(timeIntervalSince1970: -8.64e12)), "new Date(-8640000000000000)"),
            (["a": [1, [], [:]], "b c": "x"], #"{a: [1, [], {}], "b c": "x"}"#),
        ] as [(JavaScriptValue, String)]) func aValueIsDescribedAsAScriptWouldWriteIt(
            _ value: JavaScriptValue, _ text: String
        )
    {
        #expect(value.description == text && "\(value)" == text && String(reflecting: value) == text)
        #expect(String(reflecting: [value]) == "[\(text)]")
        var dumped = ""
        dump(value, to: &dumped)
        #expect(dumped == "- \(text)\n")
    }

    @Test func whatIsDeepIsCutInItsDescription() {
        let deep = (1...5000).reduce(JavaScriptValue.null) { value, n in n % 2 == 0 ? [value] : ["a": value] }
        #expect(deep.description == "[{a: [{a: [{a: [{a: […]}]}]}]}]")
    }

    @Test func errorsHaveWebKitsNumbers() {
        let codes: [(WebPageError, String, Int)] = [
            (.javaScriptException(.init(message: "x")), "WKErrorDomain", 4),
            (.javaScriptResultTypeIsUnsupported, "WKErrorDomain", 5),
            (.javaScriptInvalidFrameTarget, "WKErrorDomain", 12), (.webContentProcessTerminated, "WKErrorDomain", 2),
            (.pageClosed("x"), "WKErrorDomain", 3), (.frameLoadInterrupted, "WebKitErrorDomain", 102),
            (.cannotShowURL, "WebKitErrorDomain", 101), (.cancelled, "NSURLErrorDomain", -999),
            (.network("net::ERR_NAME_NOT_RESOLVED"), "NSURLErrorDomain", -1003),
            (.network("net::ERR_OTHER"), "NSURLErrorDomain", -1),
        ]
        for (error, domain, code) in codes {
            #expect(error.domain == domain && error.code == code, "\(error)")
        }
    }
}

import BridgeHTTP
import Testing

@Suite("Targets and authorities")
struct TargetTests {
    @Test("the four forms (RFC 9112, 3.2)")
    func forms() throws {
        let origin = try HTTPTarget(parsing: "/a/b?c=d".utf8, method: .get)
        #expect(origin.form == .origin && origin.path == "/a/b" && origin.query == "c=d" && origin.authority == nil)
        let absolute = try HTTPTarget(parsing: "HTTP://Ex.org:8080?q".utf8, method: .get)
        #expect(absolute.form == .absolute(scheme: "http") && absolute.path == "/" && absolute.query == "q")
        #expect(absolute.authority?.host == "ex.org" && absolute.authority?.port == 8080)
        let authority = try HTTPTarget(parsing: "[::1]:443".utf8, method: .connect)
        #expect(authority.form == .authority && authority.authority?.host == "[::1]")
        #expect(try HTTPTarget(parsing: "*".utf8, method: .options).form == .asterisk)
        #expect(try HTTPTarget(parsing: "//evil/x".utf8, method: .get).path == "//evil/x")
        #expect(try HTTPTarget(parsing: "/?".utf8, method: .get).query == "")
    }

    @Test(
        "authorities that are taken",
        arguments: [
            ("LOCALHOST", "localhost", nil), ("a.b:7357", "a.b", 7357), ("[::1]", "[::1]", nil),
            ("[FE80::1]:1", "[fe80::1]", 1),
            ("127.0.0.1:", "127.0.0.1", nil), ("", "", nil), ("a:65535", "a", 65535), ("a:0080", "a", 80),
        ] as [(String, String, UInt16?)])
    func authorities(text: String, host: String, port: UInt16?) {
        let authority = HTTPAuthority(parsing: text)
        #expect(authority?.host == host)
        #expect(authority?.port == port)
    }

    @Test(
        "authorities that are none",
        arguments: [
            "u@a", "a:65536", "a:-1", "a:+1", "a:1:2", "::1", "[::1", "[]", "[::1]x", "[g]", "a b", "a/b", "a?b",
            "a\\b", "a%41",
            "é", "a\0", "[::1%25lo]",
        ])
    func noAuthorities(text: String) {
        #expect(HTTPAuthority(parsing: text) == nil)
    }

    @Test(
        "percent decoding is strict",
        arguments: [
            ("/a%20b", "/a b"), ("%C3%A9", "é"), ("%2F", "/"), ("+", "+"), ("", ""), ("%2e%2E", ".."), ("%", nil),
            ("%4", nil),
            ("%zz", nil), ("%+1", nil), ("%00", nil), ("%FF", nil), ("%ED%A0%80", nil), ("a%2", nil),
        ] as [(String, String?)])
    func percent(text: String, decoded: String?) {
        #expect(HTTPTarget.percentDecoded(text) == decoded)
    }

    @Test("values of the query")
    func query() throws {
        let target = try HTTPTarget(parsing: "/?a=1&token=x%2By+z&b&token=no&bad=%zz".utf8, method: .get)
        #expect(target.queryValue("token") == "x+y z")
        #expect(target.queryValue("b") == "")
        #expect(target.queryValue("bad") == nil)
        #expect(target.queryValue("missing") == nil)
        #expect(try HTTPTarget(parsing: "/".utf8, method: .get).queryValue("a") == nil)
    }
}

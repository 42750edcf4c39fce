import Foundation
import Testing

@testable import PhoneShell

/// Where what a person types leads.
struct PhoneAddressTests {
    @Test(
        arguments: [
            ("http://localhost:5173/a?b#c", "here http://localhost:5173/a?b#c"),
            ("localhost:5173", "here http://localhost:5173"), ("localhost", "here http://localhost"),
            ("app.localhost/x", "here http://app.localhost/x"), ("127.0.0.1:8080/x", "here http://127.0.0.1:8080/x"),
            ("http://[::1]:80/", "here http://[::1]:80/"), ("HTTP://LOCALHOST/", "here HTTP://LOCALHOST/"),
            (" /pages/x.html?a=b ", "here http://localhost:7357/pages/x.html?a=b"),
            ("example.test", "elsewhere https://example.test"),
            ("http://example.test/", "elsewhere http://example.test/"),
            ("http://localhost.evil.test/", "elsewhere http://localhost.evil.test/"),
            ("http://127.0.0.1.evil.test/", "elsewhere http://127.0.0.1.evil.test/"),
            ("http://localhost@evil.test/", "elsewhere http://localhost@evil.test/"),
            ("javascript:alert(1)", "invalid"), ("JAVASCRIPT:alert(1)//localhost", "invalid"),
            ("javascript://localhost/%0aalert(1)", "invalid"), ("file:///etc/passwd", "invalid"),
            ("file://localhost/etc/passwd", "invalid"), ("data:text/html,x", "invalid"), ("about:blank", "invalid"),
            ("blob:http://localhost/x", "invalid"), ("view-source:http://localhost/", "invalid"),
            ("http://", "invalid"), ("http:///x", "invalid"), ("", "invalid"), ("two words", "invalid"),
            ("//", "invalid"),
        ])
    func leads(input: String, expected: String) throws {
        let shell = try #require(URL(string: "http://localhost:7357/_bridge/shell?url=x"))
        let found =
            switch PhoneAddress(input, in: shell) {
            case .here(let url): "here \(url.absoluteString)"
            case .elsewhere(let url): "elsewhere \(url.absoluteString)"
            case .invalid: "invalid"
            }
        #expect(found == expected)
    }
}

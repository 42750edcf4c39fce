import BridgeServer
import Testing

/// What is written for `--allow-origin` and `--allow-host`.
struct AllowedNamesTests {
    @Test(
        "Origins are compared as browsers serialise them (RFC 6454, section 6.2)",
        arguments: [
            ("https://app.test", "https://app.test"), ("https://app.test/", "https://app.test"),
            ("HTTPS://App.TEST", "https://app.test"), ("https://app.test:443", "https://app.test"),
            ("http://app.test:80/", "http://app.test"), ("http://app.test:443", "http://app.test:443"),
            ("https://app.test:8443", "https://app.test:8443"), ("https://app.test:", "https://app.test"),
            ("http://[FD00::1]:3000", "http://[fd00::1]:3000"), ("http://10.0.0.1", "http://10.0.0.1"),
            ("null", "null"), ("app://x", "app://x"), ("Capacitor://localhost", "capacitor://localhost"),
            ("file://", "file://"), ("chrome-extension://abcdef", "chrome-extension://abcdef"),
            ("https://my_app.test", "https://my_app.test"), ("https://app.test.", "https://app.test."),
        ])
    func origin(text: String, origin: String) {
        #expect(AllowedNames.origin(text) == origin)
    }

    @Test(
        "What no browser sends is no origin",
        arguments: [
            "", "*", "example.com", "example.com:80", "https://", "http:///", "https:example.com", "://example.com",
            "https://example.com/app", "https://example.com//", "https://example.com?x", "https://example.com#x",
            "https://user@example.com", "https://*.example.com", "https://.example.com", "https://münchen.test",
            "https://example.com:x", "https://example.com:65536", "https://a b", " https://example.com", "1a://x",
            "NULL", "https://example.com/*", "https://a,https://b", "app://:80", "a\u{0}://x",
        ])
    func noOrigin(text: String) {
        #expect(AllowedNames.origin(text) == nil)
    }

    @Test(
        "Hosts are names or addresses, in small letters",
        arguments: [
            ("dev.test", "dev.test"), ("Dev.TEST", "dev.test"), ("10.0.0.1", "10.0.0.1"), ("my_box", "my_box"),
            ("fd00::1", "[fd00::1]"), ("[FD00:0::1]", "[fd00::1]"),
        ])
    func host(text: String, host: String) {
        #expect(AllowedNames.host(text) == host)
    }

    @Test(
        "What is more than a name, or less, is none",
        arguments: [
            "", "*", "*.test", ".test", "http://x", "dev.test:80", "[fd00::1]:80", "dev.test/", "a b", "a,b", "u@a",
            "münchen.test", "[", "[]", "a:", "x?y",
        ])
    func noHost(text: String) {
        #expect(AllowedNames.host(text) == nil)
    }
}

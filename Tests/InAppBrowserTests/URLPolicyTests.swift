import Foundation
import InAppBrowser
import PageModel
import Testing

@Suite struct URLPolicyTests {
    private func decision(
        _ url: String, _ policy: URLPolicy = URLPolicy(), gesture: Bool = true, mainFrame: Bool? = true
    ) throws -> URLPolicy.Decision {
        let request = WebPageRequest(try #require(URL(string: url)))
        let target = mainFrame.map { WebPageFrameInfo(id: "f", isMainFrame: $0, request: request) }
        return policy.decision(
            for: WebPageNavigationAction(request: request, targetFrame: target, hasUserGesture: gesture))
    }

    @Test(arguments: [
        ("https://example.com/", URLPolicy.Decision.allow), ("HTTP://example.com/", .allow), ("about:blank", .allow),
        ("mailto:a@b.c", .openOutside), ("tel:1", .openOutside), ("javascript:1", .deny), ("file:///etc/passwd", .deny),
        ("data:text/html,x", .deny), ("other-app:x", .deny),
    ]) func schemesDecide(_ url: String, _ expected: URLPolicy.Decision) throws {
        #expect(try decision(url) == expected)
    }

    @Test func anotherAppIsOpenedForTheUserAlone() throws {
        #expect(try decision("tel:1", gesture: false) == .deny)
        #expect(try decision("tel:1", mainFrame: false) == .deny)
        #expect(try decision("tel:1", mainFrame: nil) == .openOutside)
    }

    @Test func aDeniedHostIsDeniedWithAllBelowIt() throws {
        let policy = URLPolicy(deniedHosts: ["bad.test"])
        #expect(try decision("https://bad.test/", policy) == .deny)
        #expect(try decision("https://a.BAD.test/", policy) == .deny)
        #expect(try decision("https://notbad.test/", policy) == .allow)
    }

    /// Engines take all of these for the same host.
    @Test(arguments: [
        "https://bad.test./", "https://BAD.test:8443/", "https://user:word@bad.test/", "https://b%61d.te%73t/",
        "https://a.bad.test%2e/", "http:bad.test", "http:/bad.test", "http:///bad.test/",
    ]) func aDeniedHostIsDeniedHoweverItIsWritten(_ url: String) throws {
        for host in ["bad.test", "Bad.Test", "bad.test."] {
            #expect(try decision(url, URLPolicy(deniedHosts: [host])) == .deny)
        }
    }

    @Test(arguments: [
        ("https://a.b/c", "https://a.b/c"), (" a.b/c ", "https://a.b/c"),
        ("localhost:7357/x", "https://localhost:7357/x"),
        ("about:blank", "about:blank"), ("", nil), ("two words", nil), ("word", nil), ("http://", nil),
        ("mailto:a@b.c", nil), ("a@b.c", nil), ("javascript:x@b.c", nil), ("what is b.c", nil),
        ("\n a.b\t", "https://a.b"), ("https://u:p@a.b/", "https://u:p@a.b/"),
    ]) func inputLeadsSomewhereOrNowhere(_ input: String, _ url: String?) {
        #expect(URLPolicy.url(fromInput: input)?.absoluteString == url)
    }
}

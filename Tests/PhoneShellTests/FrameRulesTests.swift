import BridgeHTTP
import Testing

@testable import PhoneShell

/// Whether a page's head lets the shell frame it, as browsers read it.
struct FrameRulesTests {
    @Test(
        arguments: [
            ("X-Frame-Options", "DENY", true), ("X-Frame-Options", "sameorigin", true),
            ("X-Frame-Options", "ALLOW-FROM http://localhost", false), ("X-Frame-Options", "", false),
            ("Content-Security-Policy", "default-src 'none'", false),
            ("Content-Security-Policy", "frame-ancestors 'none'", true),
            ("Content-Security-Policy", "frame-ancestors", true),
            ("Content-Security-Policy", "default-src *; Frame-Ancestors 'self'", true),
            ("Content-Security-Policy", "frame-ancestors *", false),
            ("Content-Security-Policy", "frame-ancestors http:", false),
            ("Content-Security-Policy", "frame-ancestors https:", true),
            ("Content-Security-Policy", "frame-ancestors http://localhost:7357", false),
            ("Content-Security-Policy", "frame-ancestors 'self' localhost:7357", false),
            ("Content-Security-Policy", "frame-ancestors http://localhost:*", false),
            ("Content-Security-Policy", "frame-ancestors http://localhost", true),
            ("Content-Security-Policy", "frame-ancestors http://localhost:7358", true),
            ("Content-Security-Policy", "frame-ancestors https://localhost:7357", true),
            ("Content-Security-Policy", "frame-ancestors http://*.localhost:7357", true),
            ("Content-Security-Policy", "frame-ancestors *, frame-ancestors 'none'", true),
        ])
    func ofAnotherPort(name: String, value: String, isRefused: Bool) throws {
        var fields = HTTPFields()
        fields.append(name, value)
        let rules = FrameRules(fields: fields, page: try #require(FrameRules.Origin("http://localhost:5173/x")))
        let shell = try #require(FrameRules.Origin("http://localhost:7357/_bridge/shell?url=x"))
        #expect((rules.refusal(of: shell) != nil) == isRefused)
    }

    @Test(arguments: ["SAMEORIGIN", "DENY"])
    func ofTheShellsOrigin(value: String) throws {
        let origin = try #require(FrameRules.Origin("http://localhost:7357"))
        #expect(
            (FrameRules(fields: ["X-Frame-Options": value], page: origin).refusal(of: origin) == nil)
                == (value != "DENY"))
        #expect(
            FrameRules(fields: ["Content-Security-Policy": "frame-ancestors 'self'"], page: origin)
                .refusal(of: origin) == nil)
    }

    /// Of a page that has both, the policy counts.
    @Test func theOlderFieldDoesNotCountBesideAPolicy() throws {
        let page = try #require(FrameRules.Origin("http://localhost:5173"))
        let shell = try #require(FrameRules.Origin("http://localhost:7357"))
        let fields: HTTPFields = ["X-Frame-Options": "DENY", "Content-Security-Policy": "frame-ancestors *"]
        #expect(FrameRules(fields: fields, page: page).refusal(of: shell) == nil)
    }
}

import BridgeJSON
import BridgeWire
import Foundation
import Testing

@Suite struct LimitsTests {
    @Test("Every limit is set under its name and listed under it", arguments: BridgeLimits.names)
    func setByName(name: String) throws {
        var limits = BridgeLimits()
        try limits.set("\(name)=7")
        #expect(limits.json[name]?.int == 7)
        #expect(BridgeLimits().json[name]?.int != 7)
    }

    @Test("Defaults are those of section 8")
    func defaults() {
        let expected: JSON = [
            "message": 16_777_216, "nesting": 512, "batch": 1000, "inFlight": 1024, "requestLine": 8192,
            "headerBlock": 32768, "headerFields": 100, "headTimeout": 10, "bodyTimeout": 30, "idleTimeout": 60,
            "connections": 8192, "emptyFragments": 1024, "pingInterval": 20, "unansweredPings": 2,
            "slowReader": 1_048_576, "unreadOutput": 33_554_432, "lingerTimeout": 2,
        ]
        #expect(BridgeLimits().json == expected)
    }

    @Test("PROTOCOL.md, section 8, lists them all, with their defaults")
    func documented() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "web-fixtures/PROTOCOL.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rows = text.matches(of: /\n\| `(\w+)` \| (\d+)/).map { (String($0.1), Int($0.2)) }
        #expect(rows.map(\.0) == BridgeLimits.names)
        for (name, value) in rows { #expect(BridgeLimits().json[name]?.double == value.map(Double.init), "\(name)") }
    }

    @Test("Times take a fraction of a second")
    func fraction() throws {
        var limits = BridgeLimits()
        try limits.set("pingInterval=0.25")
        #expect(limits.pingInterval == .milliseconds(250))
        #expect(limits.json["pingInterval"]?.double == 0.25)
    }

    @Test(
        "What is no limit is refused, with the name that was meant",
        arguments: [
            ("message", "NAME=VALUE"), ("mesage=1", "'message'"), ("inflight=1", "'inFlight'"),
            ("message=", "whole number"), ("message=-1", "whole number"), ("message=0", "whole number"),
            ("message=1.5", "whole number"), ("message=99999999999999999999", "whole number"),
            ("headTimeout=nan", "seconds"), ("headTimeout=0", "seconds"), ("headTimeout=inf", "seconds"),
            ("=5", "no limit named ''"), ("nesting=1025", "from 1 to 1024"),
        ])
    func refused(assignment: String, says: String) {
        var limits = BridgeLimits()
        let error = #expect(throws: BridgeLimits.AssignmentError.self) { try limits.set(assignment) }
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
        #expect(limits == BridgeLimits())
    }
}

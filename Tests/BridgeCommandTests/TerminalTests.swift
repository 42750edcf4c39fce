import Foundation
import Testing

@Suite struct TerminalTests {
    @Test func aPersonSeesVitesShapeAndTheTraffic() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"mocked": {"response": 1}}"#, to: "answers.json")
        let tool = try Tool(
            ["serve", "--port", "0", "--lines", "0", "--answers", folder.path("answers.json")],
            environment: ["TERM": "xterm"], terminal: try Terminal())
        let port = try #require(
            Int(try await tool.line { $0.hasPrefix("Listening on port ") }.dropFirst("Listening on port ".count)))
        let banner = tool.text(.output)
        #expect(banner.contains("BRIDGEHEAD"))
        #expect(banner.firstMatch(of: /ready in.* \d+ ms/) != nil)
        #expect(banner.contains("\u{1B}[36mhttp://localhost:\(port)/\u{1B}[39m"), "URLs in cyan")
        #expect(banner.contains("answers.json (1 event)"))

        let environment = ["BRIDGEHEAD_PORT": "\(port)"]
        _ = try await Tool.run(["call", "echo", #"{"text":"hi"}"#], environment: environment)
        #expect(try await tool.line { $0.contains("⬆") }.contains("\u{1B}[32m⬆"), "page → native is green")
        #expect(try await tool.line { $0.contains("⬇") }.contains("\u{1B}[31m⬇"), "native → page is red")
        _ = try await Tool.run(["call", "mocked"], environment: environment)
        #expect(try await tool.line { $0.contains("mocked = 1") }.contains("\u{1B}[38;5;208m⬇"), "mocked is orange")
        _ = try await Tool.run(["call", "signIn"], environment: environment)
        #expect(try await tool.line { $0.contains("×") }.contains("signIn Not signed in (4001)"))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// As a person types them into the browser of another device.
    @Test(arguments: ["0.0.0.0", "::"])
    func whereOtherDevicesFindThePagesIsShown(_ host: String) async throws {
        let own = interfaceAddresses(host == "::" ? AF_INET6 : AF_INET)
        let tool = try Tool(
            ["serve", "--port", "0", "--host", host], environment: ["NO_COLOR": "1"], terminal: try Terminal())
        let port = try await tool.line { $0.hasPrefix("Listening on port ") }.dropFirst("Listening on port ".count)
        let lines = tool.text(.output).split(whereSeparator: \.isNewline)
        let local = try #require(lines.first { $0.contains("Local:") })
        let token = try #require(local.firstMatch(of: /token=([0-9a-f]{32})$/)).1
        let rows = lines.filter { $0.contains("Network:") }
        let shown = rows.compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(Set(shown) == Set(own.map { "http://\($0):\(port)/?token=\(token)" }))
        for address in own {
            let call = try await Tool.run(
                ["call", "echo", "--url", "ws://\(address):\(port)"], environment: ["BRIDGEHEAD_TOKEN": String(token)])
            #expect(call.output == "{}\n")
        }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func onLoopbackNoOtherDevicesAreSpokenOf() async throws {
        let tool = try Tool(["serve", "--port", "0"], terminal: try Terminal())
        _ = try await tool.line { $0.hasPrefix("Listening on port ") }
        tool.signal(SIGTERM)
        #expect(!(try await tool.result().output.contains("Network")))
    }

    /// By other means than the product's: as hosts in URLs, without loopback and addresses of one link.
    private func interfaceAddresses(_ family: Int32) -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr, Int32(address.pointee.sa_family) == family,
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0, interface.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard !host.hasPrefix("fe80:"), !host.hasPrefix("169.254.") else { continue }
            found.append(family == AF_INET ? host : "[\(host)]")
        }
        return found
    }

    @Test func aBusyPortMovesOnWhereAPersonSeesIt() async throws {
        let (first, port) = try await Tool.serve()
        let tool = try Tool(["serve", "--port", "\(port)"], environment: ["NO_COLOR": "1"], terminal: try Terminal())
        let moved = try await tool.line { $0.contains("in use") }
        #expect(moved == "Port \(port) is in use, trying another one...")
        let line = try await tool.line { $0.hasPrefix("Listening on port ") }
        #expect(line != "Listening on port \(port)")
        for tool in [tool, first] {
            tool.signal(SIGTERM)
            #expect(try await tool.result().status == 0)
        }
    }

    @Test(arguments: [(["--strict-port"], [:]), ([], ["CI": "1"])])
    func aStrictPortDoesNot(_ arguments: [String], _ environment: [String: String]) async throws {
        let (first, port) = try await Tool.serve()
        let tool = try Tool(
            ["serve", "--port", "\(port)"] + arguments, environment: environment, terminal: try Terminal())
        #expect(try await tool.result().status == 78)
        first.signal(SIGTERM)
        #expect(try await first.result().status == 0)
    }

    struct Colour: Sendable {
        var environment: [String: String]
        var isOn: Bool
    }

    /// Playwright's order: FORCE_COLOR first, then NO_COLOR, then whether it is a terminal.
    @Test(arguments: [
        Colour(environment: [:], isOn: false),
        Colour(environment: ["FORCE_COLOR": "1"], isOn: true),
        Colour(environment: ["FORCE_COLOR": "0"], isOn: false),
        Colour(environment: ["FORCE_COLOR": "false"], isOn: false),
        Colour(environment: ["FORCE_COLOR": "1", "NO_COLOR": "1"], isOn: true),
        Colour(environment: ["FORCE_COLOR": "", "NO_COLOR": "1"], isOn: false),
    ])
    func colourOfRedirectedOutput(_ colour: Colour) async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"], environment: colour.environment)
        _ = try await Tool.run(["call", "echo"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        let line = try await tool.line { $0.contains("⬆") }
        #expect(line.contains("\u{1B}[") == colour.isOn)
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// With output redirected traffic is off, unless asked for.
    @Test func redirectedOutputShowsNoTraffic() async throws {
        let (tool, port) = try await Tool.serve()
        _ = try await Tool.run(["call", "echo", #"{"text":"hi"}"#], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        tool.signal(SIGTERM)
        let output = try await tool.result().output
        #expect(!output.contains("echo"))
    }

    /// What a page sends can neither colour the terminal nor begin a line.
    @Test func pagesCannotWriteOnTheTerminal() async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"])
        let event = "evil\u{1B}[31m\nListening on port 1\u{2028}\u{202E}"
        _ = try await Tool.run(["call", event], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        tool.signal(SIGTERM)
        let result = try await tool.result()
        let said = result.output + result.error
        #expect(said.contains("evil"))
        #expect(!said.unicodeScalars.contains { "\u{1B}\u{2028}\u{202E}".unicodeScalars.contains($0) })
        #expect(!said.split(separator: "\n").contains("Listening on port 1"))
    }

    @Test func anUnknownEventTeaches() async throws {
        let (tool, port) = try await Tool.serve()
        _ = try await Tool.run(["call", "getRandmTitle"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        _ = try await tool.line(.error) { $0.contains("no handler for this event event=getRandmTitle") }
        _ = try await tool.line(.error) { $0.contains("\"getRandomTitle\" differs in one character") }
        _ = try await tool.line(.error) { $0.contains("bridge.on(\"getRandmTitle\")") }
        _ = try await tool.line(.error) { $0.contains("\"getRandmTitle\": { \"response\": null },") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func logLinesHaveOneForm() async throws {
        let (tool, port) = try await Tool.serve(["--log-format", "json"])
        _ = try await Tool.run(["call", "signIn"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        let json = try await tool.line { $0.contains("a handler failed") }
        #expect(json.hasPrefix("{\"time\":\"20"))
        #expect(json.contains("\"level\":\"info\",\"message\":\"a handler failed\""))
        tool.signal(SIGTERM)
        _ = try await tool.result()

        let (second, other) = try await Tool.serve()
        _ = try await Tool.run(["call", "signIn"], environment: ["BRIDGEHEAD_PORT": "\(other)"])
        let text = try await second.line { $0.contains("a handler failed") }
        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info session=s\d+ a handler failed event=signIn failure=".*"/
        #expect(text.wholeMatch(of: form) != nil, "\(text)")
        second.signal(SIGTERM)
        #expect(try await second.result().status == 0)
    }
}

import BridgeDevTools
import BridgeJSON
import Foundation
import Testing

private let hasBrowser = (try? BrowserLocator(named: nil, searchPath: "/usr/bin:/bin").find()) != nil
private let missing: Comment = "There is no browser of Chromium's family: Tests/run installs one"

/// `browse`, as a person and a script run it, on pages that a second process serves.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: hasBrowser, missing)) struct BrowseTests {
    private static let pages = [
        "a.html": "<title>A</title><h1>a</h1>",
        "folder/index.html": "<title>In a folder</title>",
        "states.html": """
        <title>States</title><script>
        onload = () => {
          history.pushState(1, "", "/pushed");
          history.pushState(2, "", "/pushed");
          history.replaceState(3, "", "/replaced");
          setTimeout(() => { location.hash = "part"; alert("done"); });
        };
        </script>
        """,
        "window.html": "<title>Window</title><script>onload = () => window.open('/a.html')</script>",
        "posts.html": """
        <title>Posts</title><script>
        var answer = webkit.messageHandlers.bridge.postMessage({ eventName: "echo", n: 42 });
        </script>
        """,
        "junk.html": """
        <title>Junk</title><script>
        for (const body of ["junk", [1], { eventName: "echo", n: NaN }, undefined, { eventName: "last" }])
          webkit.messageHandlers.bridge.postMessage(body).catch(() => {});
        </script>
        """,
        "evil.html": "<title>\u{1B}[2Jx</title>",
        "spins.html": "<title>Spins</title><script>onload = () => setTimeout(() => { for (;;); })</script>",
        "busy.html": """
        <script>webkit.messageHandlers.bridge.postMessage({ eventName: "busy" }); for (;;);</script>
        """,
    ]

    private let folder: TemporaryFolder
    private let server: Tool
    private let base: String

    init() async throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"), withIntermediateDirectories: true)
        for (name, text) in Self.pages { try folder.write(text, to: name) }
        let (server, port) = try await Tool.serve(["--root", folder.path("")])
        self.server = server
        base = "http://127.0.0.1:\(port)"
    }

    private func browse(_ path: String, _ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(["browse", base + path] + arguments)
    }

    /// The objects printed, without the progress, which comes as fast as the machine is.
    private func lines(_ result: Tool.Result) throws -> [String] {
        try result.output.split(separator: "\n").map { line in
            let text = String(line.replacing(base, with: ""))
            _ = try JSON(parsing: Array(text.utf8))
            return text
        }.filter { !$0.contains(#""event":"progress""#) }
    }

    @Test func everyEventAndEveryURLIsAnObjectALine() async throws {
        let result = try await browse("/folder", "--json")
        #expect(result.status == 0)
        #expect(
            try lines(result) == [
                #"{"event":"urlChange","url":"/folder","cause":"load","committed":false,"sequence":1}"#,
                #"{"event":"startedProvisional"}"#,
                #"{"event":"urlChange","url":"/folder/","cause":"redirect","committed":false,"sequence":2}"#,
                #"{"event":"receivedServerRedirect"}"#,
                #"{"event":"urlChange","url":"/folder/","cause":"commit","committed":true,"index":0,"sequence":3}"#,
                #"{"event":"committed"}"#,
                #"{"event":"title","title":"In a folder"}"#,
                #"{"event":"finished"}"#,
            ])
        #expect(result.output.contains(#"{"event":"progress","progress":1}"#))
    }

    @Test func whatAPageDoesToItsURLIsToldAndKept() async throws {
        let file = folder.path("history.ndjson")
        let result = try await browse("/states.html", "--json", "--wait-for", "dialog", "--history", file)
        #expect(result.status == 0, "\(result.error)")
        let changes = try lines(result).filter { $0.contains("urlChange") }
        #expect(
            changes.dropFirst(2) == [
                #"{"event":"urlChange","url":"/pushed","cause":"push","committed":true,"index":1,"sequence":3}"#,
                #"{"event":"urlChange","url":"/pushed","cause":"push","committed":true,"index":2,"sequence":4}"#,
                #"{"event":"urlChange","url":"/replaced","cause":"replace","committed":true,"index":2,"sequence":5}"#,
                #"{"event":"urlChange","url":"/replaced#part","cause":"hash","committed":true,"index":3,"sequence":6}"#,
            ])
        let kept = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(kept.count == changes.count)
        #expect(try lines(result).contains(#"{"event":"dialog","kind":"alert","message":"done"}"#))
    }

    @Test func aWindowOpensInTheSamePage() async throws {
        let result = try await browse("/window.html", "--json", "--wait-for", "2")
        let told = try lines(result)
        #expect(told.contains(#"{"event":"window","url":"/a.html","userGesture":false,"opened":true}"#))
        #expect(told.contains { $0.contains(#""url":"/a.html","cause":"commit","committed":true,"index":1"#) })
    }

    @Test func peopleReadLinesThatNothingCanSteer() async throws {
        let result = try await browse("/evil.html")
        #expect(result.output.contains("\n  url       \(base)/evil.html  (commit)\n  committed \n"))
        #expect(result.output.contains("[2Jx"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func itsMessagesAreAnsweredByTheHandlers() async throws {
        let result = try await browse("/posts.html", "--wait-for", "echo", "--call", "return await answer")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output == "{\"n\":42}\n")
        #expect(result.error.contains(#"⬆ posted  echo {"n":42}"#), "\(result.error)")
    }

    @Test func aCallIsPrintedAndItsFailureIsOne() async throws {
        let sum = try await browse(
            "/a.html", "--call", "return [a + b, document.title]", "--arguments", #"{"a":1,"b":2}"#)
        #expect(sum.output == "[3,\"A\"]\n")
        #expect(sum.status == 0)
        #expect(sum.error.contains("  finished  \n"))
        let thrown = try await browse("/a.html", "--call", "throw new Error('no')")
        #expect(thrown.status == 1)
        #expect(thrown.output == "")
        #expect(thrown.error.hasSuffix("Error: A JavaScript exception occurred: Error: no\n"))
        let json = try await browse("/a.html", "--json", "--call", "throw new Error('no')")
        #expect(json.status == 1)
        #expect(
            try lines(json).last
                == #"{"event":"failure","error":{"domain":"WKErrorDomain","code":4,"message":"Error: no"}}"#)
    }

    /// What is printed can be given as an argument.
    @Test func whatJSONHasNoWordForIsMarkedOnTheWayInAndOut() async throws {
        let values = [
            #""u":{"$undefined":true}"#, #""n":{"$number":"NaN"}"#, #""i":{"$number":"-Infinity"}"#,
            #""z":{"$number":"-0"}"#, #""d":{"$date":86400000}"#, #""o":{"$object":{"$date":1}}"#, #""p":{"$x":1}"#,
        ]
        let kinds = try await browse(
            "/a.html", "--arguments", "{\(values.joined(separator: ","))}", "--call",
            "return [u === undefined, n !== n, i, Object.is(z, -0), d.toISOString(), o.$date, p.$x]")
        #expect(
            kinds.output == #"[true,true,{"$number":"-Infinity"},true,"1970-01-02T00:00:00.000Z",1,1]"# + "\n",
            "\(kinds)")
        let same = try await browse(
            "/a.html", "--arguments", "{\(values.joined(separator: ","))}", "--call", "return [n, i, z, d, o]")
        let (n, i, z, d, o) = (values[1], values[2], values[3], values[4], values[5])
        #expect(same.output == "[\([n, i, z, d, o].map { $0.dropFirst(4) }.joined(separator: ","))]\n")
        // As WebKit has them.
        let big = try await browse("/a.html", "--call", "return [1n, { a: 1n }]")
        #expect(big.output == "[null,{}]\n")
        let bare = try await browse("/a.html", "--call", "return 1n")
        #expect(bare.output == "{\"$undefined\":true}\n")
    }

    @Test func whatIsPostedAndNoEventIsToldToo() async throws {
        let json = try await browse("/junk.html", "--json", "--wait-for", "last")
        #expect(
            try lines(json).filter { $0.contains("posted") } == [
                #"{"event":"postedBody","handler":"bridge","body":"junk"}"#,
                #"{"event":"postedBody","handler":"bridge","body":[1]}"#,
                #"{"event":"postedBody","handler":"bridge","body":{"eventName":"echo","n":{"$number":"NaN"}}}"#,
                #"{"event":"postedBody","handler":"bridge","body":{"$undefined":true}}"#,
                #"{"event":"posted","name":"last","payload":{}}"#,
            ])
        let text = try await browse("/junk.html", "--wait-for", "last")
        #expect(text.output.contains("  ⬆ posted  \"junk\"  (no event, to bridge)\n"), "\(text.output)")
    }

    /// The end that a limit of time puts to it says what had not come to its own.
    @Test(arguments: [
        ("/a.html", ["--wait-for", "nothing"], "The event 'nothing' did not come"),
        ("/a.html", ["--wait-for", "3600"], "The 3600 s to wait after the first commit did not pass"),
        ("/a.html", ["--call", "await new Promise(() => {})"], "The function of '--call' did not end"),
        ("/busy.html", ["--wait-for", "busy", "--call", "return 1"], "The function of '--call' did not end"),
        ("/busy.html", ["--wait-for", "busy", "--screenshot", "FILE"], "The picture of the page was not there"),
    ])
    func aLimitOfTimeSaysWhatWasWaitedFor(_ path: String, _ options: [String], _ expected: String) async throws {
        let file = folder.path("late.png")
        var result: Tool.Result?
        // A slow machine may need longer to come as far as that.
        for seconds in [2, 8, 32, 128] {
            let options = options.map { $0 == "FILE" ? file : $0 } + ["--timeout", "\(seconds)"]
            let tried = try await Tool.run(["browse", base + path] + options)
            result = tried
            #expect(tried.status == 75)
            if tried.error.hasSuffix("Error: \(expected) within \(seconds) s.\n") { return }
        }
        Issue.record("\(result?.error ?? "")")
    }

    @Test func aPictureIsOfTheSizeThatWasAskedFor() async throws {
        let file = folder.path("page.png")
        // Of a link, what it leads to is written.
        try folder.write("old", to: "page.png")
        let link = folder.path("folder/link.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../page.png")
        let result = try await browse("/a.html", "--viewport", "393x852@3", "--screenshot", link)
        #expect(result.status == 0, "\(result.error)")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        #expect(bytes[1..<4] == [0x50, 0x4E, 0x47])
        #expect(bytes[16..<24] == [0, 0, 0x04, 0x9B, 0, 0, 0x09, 0xFC], "1179 by 2556")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../page.png")
    }

    @Test func whatCannotBeShownSaysWhy() async throws {
        let closed = try await Tool.run(["browse", "http://127.0.0.1:1/"])
        #expect(closed.status == 69)
        #expect(closed.error.contains("Error: Cannot show http://127.0.0.1:1/: The load failed: net::ERR_"))
        let missing = try await Tool.run(
            ["browse", base + "/a.html"], environment: ["BRIDGEHEAD_BROWSER": "/nonexistent/browser"])
        #expect(missing.status == 69)
        #expect(missing.error.contains("Error: No browser: /nonexistent/browser: No such file or directory"))
    }

    /// Also where the page itself does not answer any more.
    @Test(arguments: [SIGINT, SIGTERM]) func anInterruptLeavesNothing(_ signal: Int32) async throws {
        let temporary = try TemporaryFolder()
        let tool = try Tool(
            ["browse", base + "/spins.html", "--wait-for", "finished", "--call", "return 1"],
            environment: ["TMPDIR": temporary.path("")])
        _ = try await tool.line(.error) { $0.contains("finished") }
        tool.signal(signal)
        let result = try await tool.result()
        #expect(result.status == 130)
        let left = try FileManager.default.subpathsOfDirectory(atPath: temporary.path(""))
        #expect(left == [])
    }
}

import Foundation
import Testing

/// What `browse` finds out before it starts a browser: none has to be there.
@Suite(.timeLimit(.minutes(20))) struct BrowseUseTests {
    @Test(arguments: [
        (["browse"], 64, "Missing expected argument '<url>'"),
        (["browse", "http://a.test", "--viewport", "1x1@0.1"], 64, "with that at least one pixel each way"),
        (["browse", "http://a.test", "--viewport", "10000x10000@10"], 64, "a hundred million in all"),
        (["browse", "http://a.test", "--viewport", "big"], 64, "it is WIDTHxHEIGHT@SCALE, such as 393x852@3"),
        (["browse", "http://a.test", "--arguments", "{}"], 64, "goes with '--call <body>'"),
        (["browse", "http://a.test", "--wait-for", "-1"], 64, "it is a number of seconds, at most a day"),
        (["browse", "http://a.test", "--screenshot="], 64, "The value of '--screenshot <file>' is empty"),
        (["browse", "http://a.test", "--screenshot", ""], 64, "The value of '--screenshot <file>' is empty"),
        (["browse", "http://a.test", "--history="], 64, "The value of '--history <file>' is empty"),
        (["browse", "http://a.test", "--browser="], 64, "The value of '--browser <path>' is empty"),
        (["serve", "--port-file="], 64, "The value of '--port-file <file>' is empty"),
        (["serve", "--root="], 64, "The value of '--root <dir>' is empty"),
        (["browse", "http://a.test", "--call", "x", "--arguments", "[1]"], 65, "the arguments:1:1: "),
        (["browse", "http://a.test", "--call", "x", "--arguments", "{\"a\":\n  tru}"], 65, "the arguments:2:3: "),
        (
            ["browse", "http://a.test", "--call", "x", "--arguments", #"{"a":[{"$ref":0}]}"#], 65,
            #"the arguments: "a" is in itself"#
        ),
    ])
    func wrongUseSaysWhatIsWrong(_ arguments: [String], _ status: Int, _ text: String) async throws {
        try await expectRefusal(arguments, status, text)
    }

    @Test(arguments: ["", "a-b", "a b", "1a", "this", "await", "...a", "a,b", "{a}", "a/*", "\u{1F600}"])
    func whatCannotBeAnArgumentsNameIsNamed(_ name: String) async throws {
        try await expectRefusal(
            ["browse", "http://a.test", "--call", "x", "--arguments", #"{"ok":1,"\#(name)":1}"#], 65,
            #"the arguments: "\#(name)" is no name that an argument can have"#)
    }

    @Test(arguments: [
        ("ftp://a.test/", "it begins with http:// or https://"),
        ("a.html", "it begins with http:// or https://"),
        ("http:a.test", "it begins with http:// or https://"),
        ("", "it begins with http:// or https://"),
        ("http://", "the host is missing"),
        ("http:///a", "the host is missing"),
        ("http://:80/", "the host is missing"),
        ("http://user@/", "the host is missing"),
        ("https://?q", "the host is missing"),
        ("http://[::1", "the ] after the IPv6 address is missing"),
        ("http://[::1/", "the ] after the IPv6 address is missing"),
        ("http://[::g]/", "'::g' is no IPv6 address"),
        ("http://[]/", "'' is no IPv6 address"),
        ("http://[::1]80/", "after the host comes its port, or a path, and not '80'"),
        ("http://a.test:99999/", "the port is a number from 1 to 65535, and not '99999'"),
        ("http://[::1]:65536", "the port is a number from 1 to 65535, and not '65536'"),
        ("http://a.test:0/", "the port is a number from 1 to 65535, and not '0'"),
        ("http://a.test:-1/", "the port is a number from 1 to 65535, and not '-1'"),
        ("http://a.test:x?q", "the port is a number from 1 to 65535, and not 'x'"),
        ("http://a.test:99999999999999999999/", "the port is a number from 1 to 65535"),
        ("http://a b/", "the host 'a b' has a ' ' in it"),
        ("http://a<b/", "the host 'a<b' has a '<' in it"),
        ("http://256.0.0.1/", "'256.0.0.1' is no IPv4 address"),
        ("http://1.2.3.4.5/", "'1.2.3.4.5' is no IPv4 address"),
    ])
    func whatIsNoAddressOfAPageSaysWhy(_ url: String, _ reason: String) async throws {
        try await expectRefusal(["browse", url], 64, "The value '\(url)' is invalid for '<url>': \(reason)")
    }

    @Test(arguments: [
        "http://a.test", "HTTPS://A.test:443/p?q=://#f", "http://user:pw@a.test:1/", "http://[::1]:8080/[",
        "http://127.0.0.1:65535", "http://127.1", "http://b\u{FC}cher.test/\u{FC}", "http://a.test:/",
        "http://a.1b.test.",
    ])
    func whatIsOneGoesToTheBrowser(_ url: String) async throws {
        try await expectRefusal(["browse", url], 69, "Error: No browser: /nonexistent/browser")
    }

    @Test func aBrowserThatNeverSpeaksHasItsLimitOfTimeToo() async throws {
        let folder = try TemporaryFolder()
        let result = try await Tool.run([
            "browse", "http://127.0.0.1:1/", "--timeout", "0.1", "--browser", try folder.silentBrowser(),
        ])
        #expect(result.status == 75)
        #expect(result.error.hasSuffix("Error: The browser did not start within 0.1 s.\n"), "\(result.error)")
    }

    /// A browser that would be started before is one that is not there, and 69.
    private func expectRefusal(_ arguments: [String], _ status: Int, _ text: String) async throws {
        let result = try await Tool.run(arguments, environment: ["BRIDGEHEAD_BROWSER": "/nonexistent/browser"])
        #expect(result.status == Int32(status), "\(result)")
        #expect(result.error.contains(text), "\(result.error)")
        #expect(result.output == "")
    }
}

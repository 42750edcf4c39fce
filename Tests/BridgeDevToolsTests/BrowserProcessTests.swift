import BridgeDevTools
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// With a script in the browser's place.
@Suite(.timeLimit(.minutes(10))) struct BrowserProcessTests {
    private let journal = Journal()

    /// A browser that has said that it runs.
    private func running(_ fake: FakeBrowser) async throws -> DevToolsBrowser {
        let browser = try fake.start()
        browser.connection.listen(journal.sink("browser"))
        browser.connection.post("hello")
        _ = await journal.entries(atLeast: 1)
        return browser
    }

    #if os(Linux)
        @Test func itInheritsTheTwoPipesAndNothingElse() async throws {
            // What is left open without close-on-exec, as other libraries do.
            var careless: [Int32] = [-1, -1]
            try #require(pipe(&careless) == 0)
            defer { for end in careless { close(end) } }
            let fake = try FakeBrowser("\(FakeBrowser.ready); \(FakeBrowser.obey)")
            let browser = try await running(fake)
            let folder = "/proc/\(browser.process.processID)/fd"
            var open: [String: String] = [:]
            for number in try FileManager.default.contentsOfDirectory(atPath: folder) {
                open[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
            }
            let (orders, answers) = (try #require(open["3"]), try #require(open["4"]))
            #expect(orders.hasPrefix("socket:") && answers.hasPrefix("socket:") && orders != answers)
            // The shell reads the script by one of its own, and keeps others while a command's stand in their places.
            let errors = browser.process.folder + "/standard-error"
            #expect(Set(open.values).subtracting([fake.path]) == ["/dev/null", errors, orders, answers], "\(open)")
            await browser.end()
        }

        #if compiler(>=6.2)
            /// Whatever the thread that starts it does not want to hear, and this process ignores. In a process of its own:
            /// threads that are made meanwhile keep what is blocked, and so does all that is started from those.
            @Test func itsSignalsAreAsByDefault() async throws {
                await #expect(processExitsWith: .success) { try await startWithSignalsBlocked() }
            }
        #endif
    #endif

    @Test func itsGroupAndItsProfileAreItsOwn() async throws {
        let fake = try FakeBrowser("\(FakeBrowser.ready); \(FakeBrowser.obey)")
        let browser = try await running(fake)
        #expect(getpgid(browser.process.processID) == browser.process.processID)
        let folder = browser.process.folder
        var information = stat()
        #expect(stat(folder, &information) == 0 && information.st_mode & 0o777 == 0o700)
        #expect(information.st_uid == geteuid())
        #expect(browser.process.end == nil)
        await browser.end()
        #expect(access(folder, F_OK) != 0)
        #expect(kill(browser.process.processID, 0) == -1 && errno == ESRCH)
        #expect(browser.process.end?.cause == .stopped)
        #expect(await journal.entries(atLeast: 2) == ["browser ready 0", "browser ended: the browser has ended"])
        await browser.end()
    }

    @Test func itIsStartedAsItsOptionsSay() async throws {
        let fake = try FakeBrowser(
            FakeBrowser.wait + #"; for word; do printf '{"method":"%s"}\0' "$word" >&4; done; "# + FakeBrowser.obey)
        var options = BrowserOptions(allowsPopups: true, allowsURLFloods: true, rendererLimit: 2)
        options.windowSize = .init(width: 393, height: 852)
        let browser = try fake.start(options)
        let expected = options.arguments(profile: browser.process.folder + "/data", isRoot: geteuid() == 0)
        browser.connection.listen(journal.sink("-"))
        browser.connection.post("hello")
        #expect(await journal.entries(atLeast: expected.count) == expected.map { "- \($0) 0" })
        #expect((browser.warning != nil) == (geteuid() == 0))
        await browser.end()
    }

    @Test func theSandboxIsOffForRootAlone() {
        let ordinary = BrowserOptions().arguments(profile: "/p", isRoot: false)
        let root = BrowserOptions().arguments(profile: "/p", isRoot: true)
        #expect(root.filter { !ordinary.contains($0) } == ["--no-sandbox"])
        #expect(!ordinary.contains { $0.contains("sandbox") })
        for flag in ["--headless=new", "--remote-debugging-pipe", "--user-data-dir=/p"] {
            #expect(ordinary.contains(flag))
        }
        for flag in ["--disable-popup-blocking", "--disable-ipc-flooding-protection"] {
            #expect(!ordinary.contains(flag))
        }
    }

    /// Its status is what commands and sinks are told, whether its end or that of its pipe is noticed first.
    @Test(arguments: [
        ("exit 3", BrowserEnd.Cause.status(3), "the browser has ended (exit status 3): No usable sandbox!"),
        ("exit 0", .status(0), "the browser has ended (exit status 0)"),
        ("kill -SEGV $$", .signal(SIGSEGV), "signal 11"),
        ("exec 3<&- 4>&-; sleep 1000000", .signal(SIGKILL), "signal 9"),
        // One of its processes outlives it, and has its pipe.
        ("sleep 1000000 & exit 4", .status(4), "the browser has ended (exit status 4): No usable sandbox!"),
    ])
    func itsEndFailsWhatIsUnderWay(_ how: String, _ cause: BrowserEnd.Cause, _ reason: String) async throws {
        let complaint = #"printf 'No usable\n sandbox!\033' >&2"#
        let fake = try FakeBrowser("\(FakeBrowser.ready); \(complaint); \(FakeBrowser.wait); \(how)")
        let browser = try await running(fake)
        let failure = await #expect(throws: DevToolsFailure.self) {
            try await browser.connection.send("Runtime.evaluate")
        }
        let end = await browser.process.ended()
        #expect(end.cause == cause)
        #expect(failure == .ended(reason: end.description))
        #expect(end.description.contains(reason), "\(end)")
        let folder = browser.process.folder
        await browser.end()
        #expect(access(folder, F_OK) != 0)
    }

    @Test func whatIsDroppedEnds() async throws {
        let fake = try FakeBrowser("\(FakeBrowser.ready); \(FakeBrowser.obey)")
        var browser: DevToolsBrowser? = try await running(fake)
        let connection = try #require(browser?.connection)
        browser = nil
        #expect(await journal.entries(atLeast: 2).last == "browser ended: the browser has ended")
        await connection.closed()
    }

    @Test func whatCannotBeStartedSaysWhy() throws {
        let failure = #expect(throws: BrowserUnavailable.self) {
            try DevToolsBrowser(path: "/nonexistent/browser")
        }
        #expect(failure?.reason == "/nonexistent/browser: No such file or directory")
    }
}

#if os(Linux)
    private func startWithSignalsBlocked() async throws {
        let journal = Journal()
        // A shell blocks some itself while it starts others: what these have is asked. Bash leaves the rest as it was.
        let words = "$(echo $(grep -E 'SigBlk|SigIgn' /proc/self/status))"
        let fake = try FakeBrowser(
            FakeBrowser.wait + #"; printf '{"method":"%s"}\0' "\#(words)" >&4; "# + FakeBrowser.obey,
            shell: "/bin/bash")
        signal(SIGUSR2, SIG_IGN)
        let browser = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                continuation.resume(with: Result { try fake.start() })
            }
        }
        browser.connection.listen(journal.sink("browser"))
        browser.connection.post("hello")
        // The two that are ignored are glibc's own, and nobody can send them.
        let said = await journal.entries(atLeast: 1)
        #expect(said == ["browser SigBlk: 0000000000000000 SigIgn: 0000000180000000 0"])
        await browser.end()
    }
#endif

import BridgeDevTools
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// What is left can only be told in a process that does nothing else.
#if os(Linux) && compiler(>=6.2)
    @Suite(.serialized, .timeLimit(.minutes(20))) struct LeftoverTests {
        @Test func nothingIsLeftOfTwentyBrowsers() async {
            await #expect(processExitsWith: .success) {
                let fake = try FakeBrowser("sh -c 'sleep 1000000; exit' \"$@\" & \(FakeBrowser.obey)")
                try await Leftovers.startsAndEnds(20, fake.path)
            }
        }

        @Test(.enabled(if: Chromium.path != nil, Chromium.isMissing)) func nothingIsLeftOfTwentyChromiums() async {
            await #expect(processExitsWith: .success) {
                try await Leftovers.startsAndEnds(20, try #require(Chromium.path))
            }
        }

        /// It ends when the pipe does; its profile goes with the next one to be started.
        @Test(.enabled(if: Chromium.path != nil, Chromium.isMissing))
        func noneOutlivesAProcessThatIsKilled() async throws {
            let folder = Leftovers.folder(of: getpid())
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                setenv("TMPDIR", Leftovers.folder(of: getppid()), 1)
                let browser = try DevToolsBrowser(path: try #require(Chromium.path))
                _ = try await browser.connection.send("Browser.getVersion")
                kill(getpid(), SIGKILL)
            }
            let profiles = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasPrefix("bridgehead-browser-") }
            #expect(profiles.count == 1)
            // Of another's process nobody is told the end.
            while Leftovers.processes(naming: folder) > 0 { sched_yield() }
            await #expect(processExitsWith: .success) {
                let folder = Leftovers.folder(of: getppid())
                setenv("TMPDIR", folder, 1)
                let fake = try FakeBrowser(FakeBrowser.obey)
                let (first, second) = (try fake.start(), try fake.start())
                let profiles = try FileManager.default.contentsOfDirectory(atPath: folder)
                    .filter { $0.hasPrefix("bridgehead-browser-") }
                let running = [first, second].map { URL(filePath: $0.process.folder).lastPathComponent }
                #expect(profiles.sorted() == running.sorted())
                await first.end()
                await second.end()
            }
        }
    }

    enum Leftovers {
        /// For temporary files, known to a process and its child.
        static func folder(of process: pid_t) -> String { "/tmp/bh-leftovers-\(process)" }

        static func processes(naming text: String) -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.count { name in
                guard Int(name) != nil, let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                    return false
                }
                return words.range(of: Data(text.utf8)) != nil
            }
        }

        /// In a process of its own: compares what there is afterwards with what there was.
        static func startsAndEnds(_ count: Int, _ path: String) async throws {
            let temporary = folder(of: getpid())
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            setenv("TMPDIR", temporary, 1)
            // Not those that Dispatch opens for itself, whenever it needs them (eventfd, timerfd).
            func descriptors() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").sorted().filter {
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                    return target.map { !$0.hasPrefix("anon_inode:") && !$0.hasPrefix("/proc/") } ?? false
                }
            }
            func startAndEnd() async throws {
                let browser = try DevToolsBrowser(path: path)
                // At whatever it is, or when it runs.
                if path == Chromium.path { _ = try await browser.connection.send("Browser.getVersion") }
                await browser.end()
            }
            try await startAndEnd()
            let before = try descriptors()
            for _ in 0..<count { try await startAndEnd() }
            #expect(try descriptors() == before)
            #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD, "a zombie")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
            while processes(naming: temporary) > 0 { sched_yield() }
            try FileManager.default.removeItem(atPath: temporary)
        }
    }
#endif

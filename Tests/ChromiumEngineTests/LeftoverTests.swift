import BridgeDevTools
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// What is left can only be told in a process that does nothing else.
#if os(Linux) && compiler(>=6.2)
    @Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Chromium.path != nil, Chromium.isMissing))
    struct LeftoverTests {
        @Test func nothingIsLeftOfAHundredPages() async {
            await #expect(processExitsWith: .success) { try await Hundred.run(seed: 20_261_130) }
        }
    }

    /// A hundred pages that are opened and closed, in browsers that are killed meanwhile.
    @MainActor
    enum Hundred {
        static func run(seed: UInt64) async throws {
            let temporary = "/tmp/bridgehead-leftovers-\(getpid())"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            setenv("TMPDIR", temporary, 1)
            var random = Seeded(state: seed)
            let server = try Pages()
            server["/slow"] = .pending
            // Once, for what is opened once.
            try await round(1, server, &random)
            let before = try descriptors()
            var left = 99
            while left > 0 {
                let count = min(left, Int.random(in: 1...12, using: &random))
                left -= count
                try await round(count, server, &random)
            }
            #expect(try descriptors() == before)
            #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD, "a zombie")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
            while processes(naming: temporary) > 0 { sched_yield() }
            try FileManager.default.removeItem(atPath: temporary)
        }

        /// So many pages of one browser, which is killed after some time or closed at the end.
        private static func round(_ count: Int, _ server: Pages, _ random: inout Seeded) async throws {
            let browser = try await ChromiumBrowser(path: Chromium.path)
            let process = browser.browser.process.processID
            if Bool.random(using: &random) {
                let delay = Int.random(in: 0...400, using: &random)
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { kill(process, SIGKILL) }
            }
            for _ in 1...count {
                // That the browser has gone is an error, and no reason to hang.
                guard let view = try? await browser.newWebView() else { continue }
                let page = WebPage(view)
                let changes = page.urlChanges
                page.load(server.url(["/a", "/slow"].randomElement(using: &random) ?? "/a"))
                let calls = (1...3).map { _ in
                    Task { try await page.callJavaScript("await new Promise(() => {})") }
                }
                for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
                if Bool.random(using: &random) { page.load(server.url("/b")) }
                let isClosed = Bool.random(using: &random)
                if isClosed { page.close() } else { kill(process, SIGKILL) }
                for call in calls {
                    let error = await #expect(throws: WebPageError.self) { try await call.value }
                    // Closed, or its document has gone before.
                    #expect([3, 4].contains(error?.code ?? 0), "\(String(describing: error))")
                }
                for await _ in changes {}
                #expect(!page.isLoading)
            }
            await browser.close()
        }

        /// Not those that Dispatch opens for itself, whenever it needs them (eventfd, timerfd), nor the server's connections.
        private static func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return target.map { $0.hasPrefix("/tmp") || $0.hasPrefix("pipe:") || isUnixSocket(Int32(name) ?? -1) }
                    ?? false
            }
        }

        private static func isUnixSocket(_ descriptor: Int32) -> Bool {
            var domain: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX
        }

        private static func processes(naming text: String) -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.count { name in
                guard Int(name) != nil, let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                    return false
                }
                return words.range(of: Data(text.utf8)) != nil
            }
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
#endif

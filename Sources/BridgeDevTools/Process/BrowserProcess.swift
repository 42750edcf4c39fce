#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif
import Dispatch
import Foundation
import Synchronization

/// A browser of Chromium's family, headless, that is driven by a pipe: no port is opened, and it ends when this process
/// does, however that ends. Its profile is its own, and goes with it.
///
/// It ends too when this object goes.
package final class BrowserProcess: Sendable {
    private struct State {
        /// Whether its number may be somebody else's by now.
        var isReaped = false
        var isStopped = false
        var end: BrowserEnd?
        var isGone = false
        var onEnd: [@Sendable (BrowserEnd) -> Void] = []
        var onGone: [@Sendable () -> Void] = []
    }

    /// What outlives the object: the thread that waits for the end has it too.
    private final class Watch: Sendable {
        let process: pid_t
        let profile: BrowserProfile
        let state = Mutex(State())

        init(process: pid_t, profile: BrowserProfile) {
            self.process = process
            self.profile = profile
        }

        func kill(stopping: Bool) {
            state.withLock { state in
                guard !state.isReaped else { return }
                if stopping { state.isStopped = true }
                signalGroup(process, SIGKILL)
            }
        }

        /// Waits for the end, tells it, and takes away what is left.
        func run() {
            // Not reaped yet: a zombie's number, and its group's, are nobody else's.
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            let end = BrowserEnd(cause: reap(), lastWords: profile.lastWords)
            let onEnd = state.withLock { state in
                state.end = end
                defer { state.onEnd = [] }
                return state.onEnd
            }
            for tell in onEnd { tell(end) }
            profile.remove()
            let onGone = state.withLock { state in
                state.isGone = true
                defer { state.onGone = [] }
                return state.onGone
            }
            for tell in onGone { tell() }
        }

        func onGone(_ tell: @escaping @Sendable () -> Void) {
            let isGone = state.withLock { state in
                if !state.isGone { state.onGone.append(tell) }
                return state.isGone
            }
            if isGone { tell() }
        }

        private func reap() -> BrowserEnd.Cause {
            state.withLock { state in
                // Its own processes, if they have outlived it.
                signalGroup(process, SIGKILL)
                state.isReaped = true
                var status: Int32 = 0
                var reaped = waitpid(process, &status, 0)
                while reaped < 0, errno == EINTR { reaped = waitpid(process, &status, 0) }
                let cause = reaped == process ? BrowserEnd.Cause(waitStatus: status) : .unknown
                return state.isStopped && cause == .signal(SIGKILL) ? .stopped : cause
            }
        }
    }

    private let watch: Watch
    /// What it reads its orders from, and writes to: whoever takes them closes them. Neither blocks.
    package let orders, answers: Int32
    /// What its user should know; nil: nothing.
    package let warning: String?

    package var processID: pid_t { watch.process }
    /// The folder that is its own; it is in the arguments of all of its processes.
    package var folder: String { watch.profile.path }

    package init(path: String, options: BrowserOptions) throws(BrowserUnavailable) {
        let profile = try BrowserProfile()
        do throws(BrowserUnavailable) {
            let pipes = try BrowserPipes()
            defer { pipes.closeBrowsers() }
            let isRoot = geteuid() == 0
            do throws(BrowserUnavailable) {
                let process = try Spawn.start(
                    path, options.arguments(profile: profile.data, isRoot: isRoot), reading: pipes.browserReads,
                    writing: pipes.browserWrites, errors: profile.errors, variables: profile.variables)
                watch = Watch(process: process, profile: profile)
            } catch {
                pipes.closeOwn()
                throw error
            }
            orders = pipes.orders
            answers = pipes.answers
            warning =
                isRoot ? "The browser runs without its sandbox, for it refuses to have one as root." : nil
        } catch {
            profile.remove()
            throw error
        }
        // A thread of its own: it waits for as long as the browser lives.
        Thread.detachNewThread { [watch] in watch.run() }
    }

    deinit { requestStop() }

    /// How it ended; nil: it has not.
    package var end: BrowserEnd? { watch.state.withLock { $0.end } }

    /// Calls `tell` once when it has ended, from any thread; at once if it has already.
    package func onEnd(_ tell: @escaping @Sendable (BrowserEnd) -> Void) {
        let end = watch.state.withLock { state in
            if state.end == nil { state.onEnd.append(tell) }
            return state.end
        }
        if let end { tell(end) }
    }

    /// Kills it with all its processes, and does not wait for that: for one that does not do what it should.
    package func kill() { watch.kill(stopping: false) }

    /// Ends it with all its processes, and does not wait for that.
    package func requestStop() { watch.kill(stopping: true) }

    /// Ends it with all its processes, and returns when nothing of it is left: a task that is cancelled waits too.
    package func stop() async {
        requestStop()
        await withCheckedContinuation { continuation in watch.onGone { continuation.resume() } }
    }

    /// Ends it when this process exits by itself, which waits until nothing of it is left: for one that nobody ends.
    package func endAtExit() {
        AtExit.add { [watch] in
            let isGone = DispatchSemaphore(value: 0)
            watch.kill(stopping: true)
            watch.onGone { isGone.signal() }
            _ = isGone.wait(timeout: .now() + 5)
        }
    }
}

/// What is done before this process exits.
private enum AtExit {
    private static let actions = Mutex<[@Sendable () -> Void]>([])
    private static let isRegistered: Bool = {
        atexit { for act in AtExit.actions.withLock(\.self) { act() } } == 0
    }()

    static func add(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
        _ = isRegistered
    }
}

/// `kill(2)` for all processes of a group.
private func signalGroup(_ group: pid_t, _ signal: Int32) {
    _ = kill(-group, signal)
}

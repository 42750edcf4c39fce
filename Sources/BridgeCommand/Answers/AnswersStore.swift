import Bridgehead
import Synchronization

/// Keeps a bridge's answers as the file says them, and reads it again whenever it is saved.
final class AnswersStore: Sendable {
    private let path: String
    private let bridge: Bridge
    private let log: BridgeLog
    private let events = Mutex<Set<JSONString>>([])

    init(path: String, bridge: Bridge, log: BridgeLog) {
        self.path = path
        self.bridge = bridge
        self.log = log
    }

    /// Reads the file and puts its answers before the Swift handlers of their names.
    /// - Returns: how many events it answers.
    func load() throws(CommandFailure) -> Int {
        let bytes = try bytes()
        do throws(AnswersError) {
            return apply(try AnswersFile(parsing: bytes))
        } catch {
            throw CommandFailure(.badData, "\(path):\(error.line):\(error.column): \(error.reason)")
        }
    }

    /// Reads the file again after each save, until the watcher is let go. One that is broken, gone or cannot be read
    /// changes nothing but is reported, once.
    func watch() -> FileWatcher {
        FileWatcher(path: path) { [self] in
            do throws(CommandFailure) {
                let count = try load()
                log(.info, "answers reloaded", [("file", path), ("events", "\(count)")])
            } catch {
                let fault = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
                log(.warning, "\(fault); the answers read before stay in force")
            }
        }
    }

    /// Whether the file answers that event.
    func answers(_ event: JSONString) -> Bool {
        events.withLock { $0.contains(event) }
    }

    private func apply(_ file: AnswersFile) -> Int {
        var overrides: [JSONString: @Sendable (JSON, BridgeCall<JSON>) async throws -> JSON] = [:]
        for (event, answers) in file.answers {
            let sequence = AnswerSequence(answers)
            overrides[event] = { _, call in try await sequence.answer(call) }
        }
        events.withLock { $0 = Set(overrides.keys) }
        bridge.setOverrides(overrides)
        return overrides.count
    }

    private func bytes() throws(CommandFailure) -> [UInt8] {
        do throws(FileFault) {
            return try readFile(path)
        } catch {
            throw CommandFailure(.noInput, "Cannot read the answers file '\(path)': \(error.reason).")
        }
    }
}

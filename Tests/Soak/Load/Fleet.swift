import Foundation
import Synchronization

/// The servers: one that stays, whose memory and descriptors are watched, and one that is drained and started again.
final class Fleet: Sendable {
    let steady: ServerProcess
    private let executable: URL
    private let folder: URL
    private let state: Mutex<State>

    private struct State {
        var all: [ServerProcess]
        var changing: ServerProcess
        var faults: [String] = []
    }

    init(executable: URL, folder: URL) throws {
        self.executable = executable
        self.folder = folder
        steady = try ServerProcess(executable: executable, ledger: folder.appending(path: "server-0"))
        let changing = try ServerProcess(executable: executable, ledger: folder.appending(path: "server-1"))
        state = Mutex(State(all: [steady, changing], changing: changing))
    }

    /// The one that a worker connects to.
    func server(for worker: Int) -> ServerProcess {
        worker.isMultiple(of: 2) ? steady : state.withLock { $0.changing }
    }

    var servers: [ServerProcess] { state.withLock { $0.all } }

    var faults: [String] { state.withLock { $0.faults } }

    /// Drains the changing one, in the middle of its traffic, and starts another.
    func change() throws {
        let old = state.withLock { $0.changing }
        note(old.drain())
        let ledger = folder.appending(path: "server-\(servers.count)")
        let new = try ServerProcess(executable: executable, ledger: ledger)
        state.withLock { state in
            state.all.append(new)
            state.changing = new
        }
    }

    /// Drains what runs.
    func end() {
        note(steady.drain())
        note(state.withLock { $0.changing }.drain())
    }

    func note(_ fault: String?) {
        guard let fault else { return }
        state.withLock { $0.faults.append(fault) }
    }

    /// What all of them wrote down.
    func ledger() throws -> ServerLedger {
        var ledger = ServerLedger()
        for server in servers { ledger.read(Array(try Data(contentsOf: server.ledger))) }
        return ledger
    }
}

import Foundation
import Synchronization

/// Threads that live through one session after the other.
final class Workers: Sendable {
    private let fleet: Fleet
    private let name: String
    private let count: Int
    private let seed: UInt64
    private let over = Atomic(false)
    private let group = DispatchGroup()
    private let ledgers = Mutex<[SessionLedger]>([])

    /// - Parameter name: what the tags of their sessions begin with.
    init(_ name: String, _ count: Int, seed: UInt64, fleet: Fleet) {
        (self.name, self.count, self.seed, self.fleet) = (name, count, seed, fleet)
    }

    func start() {
        for worker in 0..<count {
            group.enter()
            let thread = Thread { [self] in
                work(worker)
                group.leave()
            }
            thread.start()
        }
    }

    /// Lets every session settle, and gives all ledgers; what is wrong with those that cannot is in them.
    func finish() -> [SessionLedger] {
        over.store(true, ordering: .relaxed)
        group.wait()
        return ledgers.withLock { $0 }
    }

    private func work(_ worker: Int) {
        var random = SeededRandom(seed &* 1_000_003 &+ UInt64(worker))
        var number = 0
        while !over.load(ordering: .relaxed) {
            let plan = Plan(&random)
            let server = fleet.server(for: worker)
            let own = SeededRandom(random.next())
            guard let session = Session(plan, tag: "\(name)\(worker).\(number)", server: server, random: own) else {
                if !server.isDraining { fleet.note("worker \(worker): nobody listens, and nobody drains") }
                Thread.sleep(forTimeInterval: 0.02)
                continue
            }
            number += 1
            let ledger = session.run { over.load(ordering: .relaxed) }
            ledgers.withLock { $0.append(ledger) }
        }
    }
}

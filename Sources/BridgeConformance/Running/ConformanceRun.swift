/// Runs a plan, several vectors at a time: each has its own connection.
package struct ConformanceRun: Sendable {
    package let plan: Plan
    package let timeout: Duration
    package let seed: UInt64
    /// Whether the first failure ends it.
    package let bails: Bool

    /// Enough to hide the waits of vectors behind one another, few enough to tell time on two cores.
    private static let concurrency = 16

    package init(_ plan: Plan, timeout: Duration, seed: UInt64, bails: Bool = false) {
        self.plan = plan
        self.timeout = timeout
        self.seed = seed
        self.bails = bails
    }

    /// - Parameter onResult: called with each result as it comes, and its place in the plan.
    /// - Returns: a result an entry of the plan, in its order.
    package func run(onResult: (Int, VectorResult) -> Void = { _, _ in }) async -> [VectorResult] {
        var results: [Int: VectorResult] = [:]
        var hasFailed = false
        func take(_ index: Int, _ result: VectorResult) {
            // What the first failure cut short says nothing.
            let result = hasFailed && bails ? VectorResult(skipped: result.vector, reason: Self.bailed) : result
            if case .failed = result.outcome { hasFailed = true }
            results[index] = result
            onResult(index, result)
        }
        await withTaskGroup(of: (Int, VectorResult).self) { group in
            var running = 0
            // Those that fill the target leave no room for others.
            for exclusive in [false, true] {
                for (index, entry) in plan.entries.enumerated() where entry.isExclusive == exclusive {
                    guard case .run(let job) = entry else {
                        if case .skip(let vector, let reason) = entry {
                            take(index, VectorResult(skipped: vector, reason: reason))
                        }
                        continue
                    }
                    while running >= (exclusive ? 1 : Self.concurrency), let (index, result) = await group.next() {
                        running -= 1
                        take(index, result)
                    }
                    guard !(bails && hasFailed), !Task.isCancelled else {
                        group.cancelAll()
                        let reason = Task.isCancelled ? VectorResult.interrupted : Self.bailed
                        take(index, VectorResult(skipped: job.vector, reason: reason))
                        continue
                    }
                    running += 1
                    group.addTask { (index, await VectorRunner(job: job, timeout: timeout, seed: seed).run()) }
                }
                while let (index, result) = await group.next() {
                    running -= 1
                    take(index, result)
                    if bails, hasFailed { group.cancelAll() }
                }
            }
        }
        return plan.entries.indices.compactMap { results[$0] }
    }

    /// Why a vector is skipped after a failure that ends the run.
    package static let bailed = "a failure ended the run"
}

extension Plan.Entry {
    fileprivate var isExclusive: Bool { vector.limit == "connections" }
}

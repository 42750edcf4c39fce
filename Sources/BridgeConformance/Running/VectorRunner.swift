import BridgeJSON

/// Runs one vector over one connection.
struct VectorRunner {
    let job: Job
    let timeout: Duration
    let seed: UInt64
    var makeDriver: (VectorContext) -> any StepDriver = Drivers.make

    func run() async -> VectorResult {
        let vector = job.vector
        let context = VectorContext(
            vector, endpoint: job.endpoint, timeout: timeout,
            bindings: Bindings(
                ids: IDGenerator(seed: seed, vector: vector.name), limit: job.limit, host: job.endpoint.authority,
                token: job.endpoint.token))
        let driver = makeDriver(context)
        let start = ContinuousClock.now
        var position = 0
        var outcome = VectorResult.Outcome.passed
        do throws(StepFailure) {
            try await driver.open()
            for step in vector.steps {
                position += 1
                try await perform(step, driver, context)
            }
            position += 1
            if vector.mustFail { try await driver.expectRefusal() }
            try await driver.finish()
        } catch {
            if let reason = error.reasonToSkip {
                outcome = .skipped(reason)
            } else if !(vector.canFail && error.isRefusal) {
                let step = position > vector.steps.count ? nil : position
                outcome = .failed(.init(step: step, message: error.message, difference: error.difference?.short))
            }
        }
        await driver.close()
        // What was cut short says nothing.
        if Task.isCancelled { outcome = .skipped(VectorResult.interrupted) }
        return VectorResult(job, outcome, wire: context.wire.lines, duration: start.duration(to: .now))
    }

    private func perform(
        _ step: Step, _ driver: any StepDriver, _ context: VectorContext
    ) async throws(StepFailure) {
        switch step {
        case .wait(let time):
            let milliseconds = try context.withBindings { b throws(StepFault) in try b.count(time) }
            // Cut short when the run is.
            try? await Task.sleep(for: .milliseconds(milliseconds))
        case .drain:
            context.wire.note("the target is told to drain")
            await context.endpoint.drain?()
        case .repeat(let steps, let times):
            let before = context.bindings
            for _ in 0..<(try context.withBindings { b throws(StepFault) in try b.count(times) })
            where !Task.isCancelled {
                for step in steps { try await perform(step, driver, context) }
                context.bindings.forget(since: before)
            }
        default:
            try await driver.perform(step)
        }
    }
}

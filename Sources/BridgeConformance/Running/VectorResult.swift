/// A vector to be run over an endpoint.
package struct Job: Sendable {
    package let vector: Vector
    package let endpoint: Endpoint
    /// The target's value of the vector's limit; milliseconds where it is a time.
    package let limit: Int?
}

/// What became of a vector.
package struct VectorResult: Sendable {
    package enum Outcome: Sendable {
        case passed
        case failed(Failure)
        /// With the reason.
        case skipped(String)
    }

    package struct Failure: Sendable {
        /// From 1; nil: after the last one.
        package let step: Int?
        package let message: String
        package let difference: Difference?
    }

    package let vector: Vector
    /// The label of the endpoint; nil: it was not run over any.
    package let transport: String?
    package let outcome: Outcome
    package let wire: [WireRecord.Line]
    package let duration: Duration

    init(
        vector: Vector, transport: String?, outcome: Outcome, wire: [WireRecord.Line] = [], duration: Duration = .zero
    ) {
        self.vector = vector
        self.transport = transport
        self.outcome = outcome
        self.wire = wire
        self.duration = duration
    }

    init(_ job: Job, _ outcome: Outcome, wire: [WireRecord.Line] = [], duration: Duration = .zero) {
        vector = job.vector
        transport = job.endpoint.label
        self.outcome = outcome
        self.wire = wire
        self.duration = duration
    }

    /// Why a vector has no result when the run was ended before it had one.
    package static let interrupted = "the run was interrupted"

    package var isSkipped: Bool {
        if case .skipped = outcome { true } else { false }
    }

    package var isInterrupted: Bool {
        if case .skipped(Self.interrupted) = outcome { true } else { false }
    }

    /// A vector that is not run, and why.
    package init(skipped vector: Vector, reason: String) {
        self.vector = vector
        transport = nil
        outcome = .skipped(reason)
        wire = []
        duration = .zero
    }
}

/// Performs the steps of one vector over one connection at a time. A vector has a driver of its own.
package protocol StepDriver: AnyObject {
    /// Connects.
    func open() async throws(StepFailure)
    /// Performs one step. Waits, repetitions and draining are the runner's business.
    func perform(_ step: Step) async throws(StepFailure)
    /// Waits until what was sent last is refused: by a failure, a status from 400, a close code or the end.
    func expectRefusal() async throws(StepFailure)
    /// What is looked at when all steps went well, such as that nothing else arrives.
    func finish() async throws(StepFailure)
    /// Ends the connection, whatever happened.
    func close() async
}

/// Why a step failed.
package struct StepFailure: Error, Sendable {
    /// What happened instead of what was expected, for people.
    package let message: String
    package var difference: Difference?
    /// Whether what came instead is a refusal, which a vector that `canFail` takes.
    package var isRefusal = false
    /// Why the vector says nothing here, if it does not.
    package var reasonToSkip: String?

    package init(_ message: String, difference: Difference? = nil, isRefusal: Bool = false) {
        self.message = message
        self.difference = difference
        self.isRefusal = isRefusal
    }

    package init(_ fault: StepFault) { self.init("the vector cannot be run: \(fault.reason)") }
}

/// What a driver has to do with: the vector, its target, its values, and the record of what passes. Confined to the
/// task that runs the vector.
package final class VectorContext {
    package let vector: Vector
    package let endpoint: Endpoint
    package let timeout: Duration
    package let wire = WireRecord()
    package var bindings: Bindings

    package init(_ vector: Vector, endpoint: Endpoint, timeout: Duration, bindings: Bindings) {
        self.vector = vector
        self.endpoint = endpoint
        self.timeout = timeout
        self.bindings = bindings
    }

    /// A wait that begins now.
    package var wait: Wait { Wait(timeout) }

    /// A change of the values that a vector may ask for in vain.
    package func withBindings<Value>(
        _ body: (inout Bindings) throws(StepFault) -> Value
    ) throws(StepFailure) -> Value {
        do throws(StepFault) {
            return try body(&bindings)
        } catch {
            throw StepFailure(error)
        }
    }
}

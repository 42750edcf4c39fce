import BridgeJSON

/// What goes to the target: its bytes, and words for the record where bytes would say little.
struct Departure {
    let bytes: [UInt8]
    var words: String?
}

/// What arrives next.
enum Arrival<Item> {
    case item(Item)
    /// The connection is over, and nothing was left to be read.
    case end(ByteStream.End)
    /// It is nothing of the medium.
    case fault(String)
    case timedOut
}

/// Bytes of one transport, as vectors write and expect them.
protocol RawMedium: AnyObject {
    var stream: ByteStream { get }

    /// What a `send` stands for.
    func departure(_ json: JSON, _ bindings: inout Bindings) throws(StepFault) -> Departure

    /// Takes the next thing that arrives and compares it.
    /// - Returns: the medium that the connection speaks from there on, if it is another.
    func expect(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) -> (any RawMedium)?

    /// Takes as many things as there are steps, in any order.
    func expectAnyOrder(_ steps: [Step], _ context: VectorContext) async throws(StepFailure)

    /// Takes the next thing, which has to say no.
    func expectRefusal(_ context: VectorContext) async throws(StepFailure)

    /// Waits until the target has ended the connection, with nothing before that.
    func expectClose(_ expected: JSON, _ context: VectorContext) async throws(StepFailure)

    /// What this end says when it wants to leave, so that all that is still to come has come.
    func farewell() -> Departure?
}

extension RawMedium {
    func farewell() -> Departure? { nil }

    func expectAnyOrder(_ steps: [Step], _ context: VectorContext) async throws(StepFailure) {
        throw StepFailure(StepFault("only messages and lines come in any order"))
    }

    /// The end of the connection itself, which may have to be orderly, or not.
    func expectEnd(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) {
        var wait = context.wait
        if expected["reset"] == true {
            // Who has ended its output is seen to be gone by writing to it.
            while !(await stream.connection.isBroken(until: min(wait.deadline, .now + .milliseconds(20)))) {
                guard wait.goesOn() else { throw wait.failure(waitingFor: "the connection to be broken") }
                await stream.connection.write([UInt8(ascii: "\n")])
            }
            return context.wire.note("the target breaks the connection")
        }
        while stream.end == nil {
            guard stream.bytes.isEmpty else { break }
            guard await stream.more(&wait) else {
                throw wait.failure(waitingFor: "the end of the connection")
            }
        }
        guard stream.bytes.isEmpty, let end = stream.end else {
            context.wire.down(Array(stream.bytes))
            throw StepFailure("something came; waited for the end of the connection")
        }
        context.wire.note(end.words)
        if expected["reset"] == false, end.isReset {
            throw StepFailure("\(end.words), which destroys what it said before")
        }
    }
}

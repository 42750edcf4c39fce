import BridgeJSON

/// Bytes to the target, lines from it.
final class LinesMedium: RawMedium {
    let stream: ByteStream

    init(_ stream: ByteStream) { self.stream = stream }

    func departure(_ json: JSON, _ bindings: inout Bindings) throws(StepFault) -> Departure {
        Departure(bytes: try Content(json).bytes(&bindings))
    }

    func expect(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) -> (any RawMedium)? {
        let line = try await line(context, waitingFor: "\(expected)")
        do throws(Difference) {
            guard let json = line.json else { throw Difference(expected: expected, actual: line.shown) }
            try context.bindings.match(expected, json)
        } catch {
            throw StepFailure(
                "another line came than was expected", difference: error, isRefusal: line.isRefusal)
        }
        return nil
    }

    func expectAnyOrder(_ steps: [Step], _ context: VectorContext) async throws(StepFailure) {
        try await AnyOrder.expect(steps, context) { what throws(StepFailure) in
            try await line(context, waitingFor: what)
        }
    }

    func expectRefusal(_ context: VectorContext) async throws(StepFailure) {
        guard try await line(context, waitingFor: "a refusal").isRefusal else {
            throw StepFailure("it was not refused")
        }
    }

    func expectClose(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) {
        try await expectEnd(expected, context)
    }

    private func line(_ context: VectorContext, waitingFor what: String) async throws(StepFailure) -> Arrived {
        var searched = 0
        var wait = context.wait
        while true {
            if let end = stream.bytes.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                let line = stream.take(end + 1 - stream.bytes.startIndex).dropLast()
                context.wire.down(Array(line))
                return Arrived(Array(line))
            }
            searched = stream.bytes.count
            guard await stream.more(&wait) else {
                guard let end = stream.end else { throw wait.failure(waitingFor: what) }
                context.wire.note(end.words)
                guard stream.bytes.isEmpty else { throw StepFailure("the last line has no end; waited for \(what)") }
                throw StepFailure("\(end.words); waited for \(what)", isRefusal: true)
            }
        }
    }
}

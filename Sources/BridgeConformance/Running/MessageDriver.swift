import BridgeJSON
import BridgeWire

/// The steps of vectors of messages, over any channel.
package final class MessageDriver: StepDriver {
    /// Makes the connection: the first one, and the one after `reconnect`.
    package typealias Connect = () async throws(StepFailure) -> any MessageChannel

    private let context: VectorContext
    private let connect: Connect
    private var channel: (any MessageChannel)?
    /// Whether nothing can be sent any more.
    private var hasEnded = false

    package init(_ context: VectorContext, connect: @escaping Connect) {
        self.context = context
        self.connect = connect
    }

    package func open() async throws(StepFailure) {
        channel = try await connect()
        hasEnded = false
    }

    package func close() async {
        await channel?.close()
        channel = nil
    }

    package func perform(_ step: Step) async throws(StepFailure) {
        switch step {
        case .send(let template, let chop):
            try await send(Array(context.withBindings { b throws(StepFault) in try b.fill(template).text }.utf8), chop)
        case .sendText(let content, let chop):
            try await send(context.withBindings { b throws(StepFault) in try Content(content).bytes(&b) }, chop)
        case .expect, .expectText:
            try await expect([step])
        case .anyOrder(let steps):
            try await expect(steps)
        case .quiet:
            try await expectQuiet()
        case .expectClose(let expected):
            try await expectClose(expected["code"])
        case .hangUp(let how):
            context.wire.note(how.description)
            try await channel?.hangUp(how)
            hasEnded = true
        case .reconnect:
            await close()
            context.wire.note("a new connection")
            try await open()
        case .crowd:
            throw StepFailure(StepFault("other connections are for vectors of bytes"))
        case .script:
            throw StepFailure(StepFault("only a page has scripts"))
        case .wait, .repeat, .drain:
            return
        }
    }

    package func finish() async throws(StepFailure) {
        if !hasEnded { try await expectQuiet() }
    }

    // MARK: Sending

    private func send(_ text: [UInt8], _ chop: Int? = nil) async throws(StepFailure) {
        guard let channel else { throw StepFailure("there is no connection") }
        context.wire.up(text)
        try await channel.send(text, chop: chop)
    }

    // MARK: Expecting

    private func expect(_ steps: [Step]) async throws(StepFailure) {
        try await AnyOrder.expect(steps, context) { what throws(StepFailure) in
            Arrived(try await next(waitingFor: what))
        }
    }

    /// The next message.
    private func next(waitingFor what: String) async throws(StepFailure) -> [UInt8] {
        guard let channel else { throw StepFailure("there is no connection") }
        var wait = context.wait
        switch await channel.next(&wait) {
        case .message(let text):
            context.wire.down(text)
            return text
        case .closed(let closing):
            context.wire.note(closing.reason)
            throw StepFailure("\(closing.reason); waited for \(what)", isRefusal: true)
        case .refused(let status):
            context.wire.down("status \(status)")
            throw StepFailure("the answer has status \(status); waited for \(what)", isRefusal: status >= 400)
        case .nothing: throw StepFailure("nothing came; waited for \(what)")
        case .timedOut: throw wait.failure(waitingFor: what)
        }
    }

    private func expectClose(_ code: JSON?) async throws(StepFailure) {
        guard let channel else { throw StepFailure("there is no connection") }
        var wait = context.wait
        switch await channel.next(&wait) {
        case .closed(let closing):
            context.wire.note(closing.reason)
            hasEnded = true
            guard let code, context.endpoint.label == "ws" else { return }
            do throws(Difference) {
                guard let actual = closing.code else { throw Difference(expected: code, actual: nil) }
                try context.bindings.match(code, actual)
            } catch {
                throw StepFailure("it was closed with another code", difference: error)
            }
        case .message(let text):
            context.wire.down(text)
            throw StepFailure("a message came; waited for the end of the connection")
        case .refused, .nothing, .timedOut:
            throw wait.failure(waitingFor: "the end of the connection")
        }
    }

    package func expectRefusal() async throws(StepFailure) {
        do throws(StepFailure) {
            let text = try await next(waitingFor: "a refusal")
            guard Arrived(text).isRefusal else { throw StepFailure("it was not refused") }
        } catch  where error.isRefusal {
            hasEnded = true
        }
    }

    /// Messages of one session come in order, so that the answer to this comes after all there is.
    private func expectQuiet() async throws(StepFailure) {
        let (question, answer) = Echo(for: context.vector).exchange(&context.bindings)
        try await send(Array(question.text.utf8))
        let text = try await next(waitingFor: "the answer to an echo, and nothing before it")
        do throws(Difference) {
            try context.bindings.match(answer, Arrived(text).json ?? .null)
        } catch {
            throw StepFailure("something came that nothing in the vector expects", difference: error)
        }
    }
}

extension Step.HangUp {
    var description: String {
        switch self {
        case .halfClose: "the runner ends its output"
        case .cut: "the runner cuts the connection"
        case .close(let code): "the runner closes the connection with \(code)"
        }
    }
}

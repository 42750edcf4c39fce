import BridgeWire

/// One message a line, over TCP or a Unix-domain socket.
final class LinesChannel: MessageChannel {
    private let connection: ByteConnection
    private var framer = LineFramer(limit: ByteConnection.longest)
    private var arrived: ArraySlice<ChannelEvent> = []
    private var closing: ChannelEvent?

    init(_ connection: ByteConnection) { self.connection = connection }

    func send(_ text: [UInt8], chop: Int?) async throws(StepFailure) {
        await connection.write(text + [UInt8(ascii: "\n")], chop: chop)
    }

    func next(_ wait: inout Wait) async -> ChannelEvent {
        while true {
            if let event = arrived.popFirst() { return event }
            if let closing { return closing }
            switch await connection.read(&wait) {
            case .timedOut: return .timedOut
            case .bytes(let bytes):
                let before = framer.blankLines
                bytes.withUnsafeBytes { framer.feed($0, take) }
                wait.passOver(.blankLine, framer.blankLines - before)
            case .end(let isReset):
                framer.finish(take)
                closing = .closed(.init(reason: isReset ? "the target broke it" : "the target ended it"))
            }
        }
    }

    private func take(_ event: LineFramer.Event) {
        switch event {
        case .line(let bytes): arrived.append(.message(Array(bytes)))
        case .webRequest: arrived.append(.closed(.init(reason: "the target sent a web request")))
        case .tooLong: arrived.append(.closed(.init(reason: "the target sent an endless line")))
        }
    }

    func hangUp(_ how: Step.HangUp) async throws(StepFailure) {
        switch how {
        case .halfClose: await connection.shutdownWrite()
        case .cut: await connection.cut()
        case .close: await connection.closeAfterFlush()
        }
    }

    func close() async { await connection.cut() }
}

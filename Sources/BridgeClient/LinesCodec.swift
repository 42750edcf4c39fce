import BridgeWire

/// One message a line, over TCP or a Unix-domain socket.
final class LinesCodec: ClientCodec {
    private var framer = LineFramer(limit: 1 << 30)

    func start(_ output: inout [UInt8]) {}

    func send(_ message: [UInt8], _ output: inout [UInt8]) {
        output += message
        output.append(UInt8(ascii: "\n"))
    }

    func receive(_ input: UnsafeMutableRawBufferPointer, _ output: inout [UInt8]) -> [ClientEvent] {
        var events: [ClientEvent] = []
        framer.feed(UnsafeRawBufferPointer(input)) { events.append(Self.event($0)) }
        return events
    }

    func finish() -> [ClientEvent] {
        var events: [ClientEvent] = []
        framer.finish { events.append(Self.event($0)) }
        return events + [.closed("the server ended the connection")]
    }

    func close(_ output: inout [UInt8]) {}

    private static func event(_ event: LineFramer.Event) -> ClientEvent {
        switch event {
        case .line(let bytes): .message(Array(bytes))
        case .tooLong: .closed("the server sent an endless line")
        case .webRequest: .refused("it sent a web request")
        }
    }
}

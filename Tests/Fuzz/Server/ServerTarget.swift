import BridgeHTTP
import BridgeJSON
import BridgeWebSocket
import BridgeWire

extension FuzzTarget {
    /// The whole server over real sockets: what it says is well-formed, and it ends every connection that its peer ended.
    ///
    /// The first byte chooses the transport: 0 HTTP, 1 WebSocket, 2 lines, 3 the WebSocket that echoes.
    package static func server(_ server: ServerUnderFuzz) -> FuzzTarget {
        FuzzTarget(name: "server", generate: traffic) { bytes throws(FuzzFault) in
            guard let choice = bytes.first else { return }
            var input = Array(bytes.dropFirst())
            switch choice & 3 {
            case 1: input = handshake("/_bridge/ws") + input
            case 3: input = handshake("/_bridge/echo") + input
            default: break
            }
            let ways = arrivals(of: input)
            // Byte by byte takes a system call for each.
            let way = choice & 4 == 0 ? ways[0] : choice & 8 == 0 || input.count > 400 ? ways[2] : ways[1]
            let port = choice & 3 == 2 ? server.linesPort : server.port
            let exchange = try Exchange(port: port, sending: way.map { input[$0] })
            if choice & 3 == 2 {
                try requireLines(exchange)
            } else {
                try requireResponses(exchange, to: input)
            }
            try server.checkNowAndThen()
        }
    }

    private static func handshake(_ path: String) -> [UInt8] {
        Array(
            ("GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8)
    }

    private static let traffic: @Sendable (inout FuzzRandom) -> [UInt8] = { random in
        let choice = random.byte()
        let input: [UInt8]
        switch choice & 3 {
        case 0: input = random.once(in: 6) ? upgrade(&random) : HTTPText.requests(&random)
        case 2: input = MessageText.mutated(&random, count: 1 + random.below(6))
        default: input = FrameBytes.masked(MessageText.mutated(&random, count: 1 + random.below(6)), &random)
        }
        return [choice] + input
    }

    private static func requireLines(_ exchange: Exchange) throws(FuzzFault) {
        for line in exchange.received.split(separator: UInt8(ascii: "\n")) {
            let isMessage = (try? JSON(parsing: Array(line), maximumDepth: JSON.highestMaximumDepth)) != nil
            // To who speaks HTTP there, it says so in HTTP.
            try require(
                isMessage || exchange.received.starts(with: "HTTP/1.1 ".utf8) || exchange.wasReset,
                "no message: \(String(decoding: line, as: UTF8.self))")
        }
    }

    /// Responses in order, and after an upgrade frames.
    private static func requireResponses(_ exchange: Exchange, to input: [UInt8]) throws(FuzzFault) {
        var methods = methods(of: input)[...]
        var received = exchange.received
        let found: FuzzFault? = received.withUnsafeMutableBytes { buffer in
            var rest = UnsafeRawBufferPointer(buffer)
            while !rest.isEmpty {
                var parser = HTTPResponseParser(
                    answering: methods.popFirst() ?? .get, limits: HTTPLimits(body: 1 << 24))
                reading: while true {
                    switch parser.next(&rest) {
                    case .head(let head) where head.status == 101:
                        let frames = UnsafeMutableRawBufferPointer(rebasing: buffer[(buffer.count - rest.count)...])
                        return fault(in: frames)
                    case .head, .body: continue
                    case .end: break reading
                    case .needMore:
                        if case .failure(let failure) = parser.finish(), !exchange.wasReset {
                            return FuzzFault("a response is cut off: \(failure.reason)")
                        }
                        break reading
                    case .failure(let failure):
                        return FuzzFault("a response is malformed: \(failure.reason)")
                    }
                }
            }
            return nil
        }
        if let fault = found { throw FuzzFault("\(fault): \(String(decoding: exchange.received, as: UTF8.self))") }
    }

    private static func fault(in frames: UnsafeMutableRawBufferPointer) -> FuzzFault? {
        var machine = WebSocketMachine(role: .client)
        var rest = frames
        while true {
            switch machine.next(&rest) {
            case .failure(let failure): return FuzzFault("a frame is malformed: \(failure.reason)")
            case .close: return rest.isEmpty ? nil : FuzzFault("something comes after the close frame")
            case .needMore: return nil
            case .text, .binary, .ping, .pong: continue
            }
        }
    }

    /// The methods of the requests in the input, which say which responses have a body.
    private static func methods(of input: [UInt8]) -> [HTTPMethod] {
        let limits = ServerUnderFuzz.limits
        var parser = HTTPRequestParser(
            limits: HTTPLimits(
                requestLine: limits.requestLine, fieldBlock: limits.headerBlock, fields: limits.headerFields))
        var methods: [HTTPMethod] = []
        input.withUnsafeBytes { buffer in
            var rest = buffer
            while true {
                switch parser.next(&rest) {
                case .head(let head): methods.append(head.method)
                case .body, .end: continue
                case .needMore, .failure: return
                }
            }
        }
        return methods
    }
}

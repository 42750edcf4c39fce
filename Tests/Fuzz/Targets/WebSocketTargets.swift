import BridgeHTTP
import BridgeWebSocket

/// An event of the machine with its own copy of the bytes.
private enum Seen: Equatable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(WebSocketCloseCode?, [UInt8])
    case failure(WebSocketFailure)

    /// nil where more is needed.
    init?(_ event: WebSocketEvent) {
        switch event {
        case .needMore: return nil
        case .text(let bytes): self = .text(Array(bytes))
        case .binary(let bytes): self = .binary(Array(bytes))
        case .ping(let bytes): self = .ping(Array(bytes))
        case .pong(let bytes): self = .pong(Array(bytes))
        case .close(let code, let reason): self = .close(code, Array(reason))
        case .failure(let failure): self = .failure(failure)
        }
    }

    var isLast: Bool {
        switch self {
        case .close, .failure: true
        default: false
        }
    }
}

private let limits = WebSocketLimits(message: 256, emptyFragments: 3)

extension FuzzTarget {
    /// Frames in. The first byte chooses: 1 a client reads, 2 binary messages are refused, 4 we have closed already.
    static let webSocket = FuzzTarget(name: "websocket", generate: FrameBytes.make) { bytes throws(FuzzFault) in
        guard let choice = bytes.first else { return }
        let frames = Array(bytes.dropFirst())
        let role: WebSocketRole = choice & 1 == 0 ? .server : .client
        let seen = try requireSame(frames) { pieces throws(FuzzFault) in
            var machine = WebSocketMachine(role: role, limits: limits, refusesBinary: choice & 2 != 0)
            var output: [UInt8] = []
            if choice & 4 != 0 { machine.writeClose(.goingAway, into: &output) }
            return try read(frames, pieces, &machine)
        }
        if choice & 2 != 0 { try require(!seen.contains { if case .binary = $0 { true } else { false } }, "binary") }
        if choice & 4 == 0 { try requireRoundTrip(seen, from: role) }
    }

    /// Text is taken exactly when Swift takes it for UTF-8, in one frame or in two. The first byte says where to cut.
    static let utf8 = FuzzTarget(
        name: "utf8",
        generate: { random in
            let text = random.once(in: 2) ? Array("aκόσμε\u{1F600}\u{D7FF}\u{E000}\u{10FFFF}012345678".utf8) : []
            var bytes = [random.byte()] + text + random.noise(upTo: 12) + (random.once(in: 2) ? text : [])
            if random.once(in: 2) { random.mutate(&bytes, tokens: FrameBytes.tokens) }
            return bytes
        }
    ) { bytes throws(FuzzFault) in
        guard let choice = bytes.first else { return }
        let text = Array(bytes.dropFirst().prefix(120))
        let isValid = String(validating: text, as: UTF8.self) != nil
        let cut = min(Int(choice), text.count)
        func frame(_ first: UInt8, _ part: ArraySlice<UInt8>) -> [UInt8] { [first, UInt8(part.count)] + part }
        for frames in [frame(0x81, text[...]), frame(0x01, text[..<cut]) + frame(0x80, text[cut...])] {
            let seen = try requireSame(frames) { pieces throws(FuzzFault) in
                var machine = WebSocketMachine(role: .client)
                return try read(frames, pieces, &machine)
            }
            if isValid {
                try require(seen == [.text(text)], "valid text gives \(seen)")
            } else {
                guard case .failure(let failure) = seen.first else { throw FuzzFault("invalid text gives \(seen)") }
                try require(failure.code == .invalidData, "invalid text closes with \(failure.code)")
            }
        }
    }

    private static func read(
        _ bytes: [UInt8], _ pieces: [Range<Int>], _ machine: inout WebSocketMachine, limit: Int = limits.message
    ) throws(FuzzFault) -> [Seen] {
        var seen: [Seen] = []
        for range in pieces {
            // The machine unmasks where the bytes are.
            var piece = Array(bytes[range])
            let hasTakenAll = piece.withUnsafeMutableBytes { buffer in
                var input = buffer
                while let event = Seen(machine.next(&input)) {
                    seen.append(event)
                    if event.isLast { return true }
                }
                return input.isEmpty
            }
            try require(hasTakenAll, "more is needed, and what there is was not taken")
            if let last = seen.last, last.isLast {
                try require(machine.hasEnded, "\(last) is not the end")
                break
            }
        }
        for event in seen {
            switch event {
            case .text(let bytes):
                try require(bytes.count <= limit, "a message over the limit")
                try require(String(validating: bytes, as: UTF8.self) != nil, "text that is not UTF-8")
            case .ping(let bytes), .pong(let bytes): try require(bytes.count <= 125, "a control frame over 125 bytes")
            case .close(_, let reason):
                try require(String(validating: reason, as: UTF8.self) != nil, "a reason that is not UTF-8")
            case .binary(let bytes): try require(bytes.count <= limit, "a message over the limit")
            case .failure: break
            }
        }
        return seen
    }

    /// What one end writes, the other reads.
    private static func requireRoundTrip(_ seen: [Seen], from role: WebSocketRole) throws(FuzzFault) {
        var writer = WebSocketMachine(role: role)
        var output: [UInt8] = []
        for event in seen {
            switch event {
            case .text(let bytes): bytes.withUnsafeBytes { _ = writer.writeText($0, into: &output) }
            case .binary(let bytes): bytes.withUnsafeBytes { _ = writer.writeBinary($0, into: &output) }
            case .ping(let bytes): bytes.withUnsafeBytes { _ = writer.writePing($0, into: &output) }
            case .pong(let bytes): bytes.withUnsafeBytes { _ = writer.writePong($0, into: &output) }
            case .close(let code, let reason):
                writer.writeClose(code, reason: String(decoding: reason, as: UTF8.self), into: &output)
            case .failure(let failure): writer.writeClose(failure.code, reason: failure.reason, into: &output)
            }
        }
        var reader = WebSocketMachine(role: role == .server ? .client : .server)
        let back = try read(output, [0..<output.count], &reader)
        let sent = seen.map { event in
            if case .failure(let failure) = event { return Seen.close(failure.code, Array(failure.reason.utf8)) }
            return event
        }
        try require(back == sent, "\(sent) is read as \(back)")
    }
}

/// What one session will be and suffer, chosen before it begins.
struct Plan: Sendable {
    enum Fate: Sendable {
        /// Waits for every answer and leaves.
        case settle
        /// Closes with 1000 or 1001 and leaves answers outstanding; as a browser does, or without waiting for the server.
        case reload(code: Int, waits: Bool)
        /// Ends its output, and reads to the end.
        case halfClose
        /// Goes on until the connection is cut.
        case cut(Wire.Cut)
        /// Does not read for a while: below what the server puts up with, or above.
        case stall(tooLong: Bool)
        /// Goes on until the server drains.
        case stay
    }

    let transport: SessionLedger.Transport
    let fate: Fate
    let rounds: Int
    let greets: Bool
    /// The share of messages that are JSON-RPC.
    let rpcShare: Double

    init(_ random: inout SeededRandom) {
        let dice = random.number(0...9)
        transport = dice < 5 ? .webSocket : dice < 8 ? .lines : .http
        greets = transport != .http && random.isTrue(0.85)
        rpcShare = [0, 0.5, 1][random.number(0...2)]
        fate = Self.fate(transport, &random)
        switch fate {
        case .cut, .stay: rounds = 150
        case .settle, .reload, .halfClose, .stall: rounds = random.number(1...15)
        }
    }

    private static func fate(_ transport: SessionLedger.Transport, _ random: inout SeededRandom) -> Fate {
        switch random.number(0...99) {
        case 0..<15: return .settle
        case 15..<35:
            switch transport {
            case .webSocket: return .reload(code: random.isTrue(0.5) ? 1000 : 1001, waits: random.isTrue(0.7))
            case .lines: return .halfClose
            case .http: return .settle
            }
        case 35..<70:
            let way: Wire.Cut.Way = random.isTrue(0.7) ? .out : .in
            let bytes = random.magnitude(upTo: 200_000)
            return .cut(Wire.Cut(way: way, bytes: bytes, breaks: random.isTrue(0.5)))
        case 70..<80: return .stall(tooLong: false)
        case 80..<86: return transport == .http ? .settle : .stall(tooLong: true)
        default: return .stay
        }
    }

    var cut: Wire.Cut? {
        if case .cut(let cut) = fate { cut } else { nil }
    }

    var stallsTooLong: Bool {
        if case .stall(tooLong: true) = fate { true } else { false }
    }
}

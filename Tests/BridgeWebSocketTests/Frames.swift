import BridgeWebSocket
import Testing

/// A frame as bytes, right or wrong.
struct Frame {
    var opcode: UInt8
    var payload: [UInt8]
    var isFinal = true
    var reserved: UInt8 = 0
    /// nil: unmasked, as from a server.
    var mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    /// Instead of the payload's own; with the number of bytes it is written in.
    var length: (value: UInt64, size: Int)?

    static func text(_ text: String, isFinal: Bool = true) -> Frame {
        Frame(opcode: 1, payload: Array(text.utf8), isFinal: isFinal)
    }

    static func rest(_ text: String, isFinal: Bool = true) -> Frame {
        Frame(opcode: 0, payload: Array(text.utf8), isFinal: isFinal)
    }

    static func ping(_ text: String = "") -> Frame { Frame(opcode: 9, payload: Array(text.utf8)) }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> Frame {
        Frame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }

    var bytes: [UInt8] {
        let natural = payload.count < 126 ? 1 : payload.count < 65_536 ? 2 : 8
        let (value, size) = length ?? (UInt64(payload.count), natural)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch size {
        case 1: bytes.append(maskBit | UInt8(value))
        case 2: bytes += [maskBit | 126, UInt8(value >> 8), UInt8(value & 0xFF)]
        default: bytes += [maskBit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - $0 * 8)) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
}

extension [Frame] {
    var bytes: [UInt8] { flatMap(\.bytes) }
}

/// An event with its bytes kept.
enum Item: Equatable, CustomStringConvertible {
    case text(String)
    case binary([UInt8])
    case ping(String)
    case pong(String)
    case close(UInt16?, String)
    case failure(UInt16)

    var description: String {
        switch self {
        case .text(let text): "text(\(text.prefix(40).debugDescription), \(text.utf8.count))"
        case .binary(let bytes): "binary(\(bytes.count))"
        case .ping(let text): "ping(\(text))"
        case .pong(let text): "pong(\(text))"
        case .close(let code, let reason): "close(\(code.map(String.init) ?? "-"), \(reason))"
        case .failure(let code): "failure(\(code))"
        }
    }
}

/// Feeds a piece and gathers what comes of it.
func feed(_ piece: [UInt8], to machine: inout WebSocketMachine, items: inout [Item]) {
    var piece = piece
    var found: [Item] = []
    piece.withUnsafeMutableBytes { buffer in
        var input = buffer
        while true {
            switch machine.next(&input) {
            case .needMore:
                #expect(input.isEmpty, "a machine that needs more has taken what there was")
                return
            case .text(let bytes): found.append(.text(String(decoding: bytes, as: UTF8.self)))
            case .binary(let bytes): found.append(.binary(Array(bytes)))
            case .ping(let bytes): found.append(.ping(String(decoding: bytes, as: UTF8.self)))
            case .pong(let bytes): found.append(.pong(String(decoding: bytes, as: UTF8.self)))
            case .close(let code, let reason):
                found.append(.close(code?.rawValue, String(decoding: reason, as: UTF8.self)))
            case .failure(let failure):
                #expect(!failure.reason.isEmpty && failure.reason.utf8.count <= 123)
                found.append(.failure(failure.code.rawValue))
            }
        }
    }
    items += found
}

struct Setting: Sendable {
    var role = WebSocketRole.server
    var limits = WebSocketLimits()
    var refusesBinary = false
    /// Whether this end has sent its close frame before it reads.
    var hasClosed = false
}

/// Reads the input cut in every way, expects the same each time, and returns that.
func read(
    _ bytes: [UInt8], _ setting: Setting = Setting(), sourceLocation: SourceLocation = #_sourceLocation
) -> [Item] {
    var expected: [Item]?
    for pieces in cuts(of: bytes) {
        let items = read(pieces: pieces, setting)
        if let expected {
            #expect(items == expected, "cut as \(pieces.map(\.count))", sourceLocation: sourceLocation)
        }
        expected = expected ?? items
    }
    return expected ?? []
}

func read(pieces: [[UInt8]], _ setting: Setting = Setting()) -> [Item] {
    var machine = WebSocketMachine(role: setting.role, limits: setting.limits, refusesBinary: setting.refusesBinary)
    var items: [Item] = []
    var output: [UInt8] = []
    if setting.hasClosed { machine.writeClose(.normal, into: &output) }
    for piece in pieces { feed(piece, to: &machine, items: &items) }
    return items
}

enum WebSocketOpcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The start of a frame (RFC 6455, section 5.2).
struct WebSocketFrameHeader {
    /// Two bytes, eight of length, four of mask.
    static let maximumSize = 14

    let opcode: WebSocketOpcode
    let isFinal: Bool
    let length: Int
    /// In the order of the bytes in memory; 0 when there is none.
    let mask: UInt32
    /// Bytes of the header itself.
    let size: Int

    /// Reads a header from the front of `bytes`; nil when it is not whole yet. A fault is thrown at the first byte that
    /// shows it, whatever follows, so the way in which bytes were cut changes nothing.
    /// - Parameters:
    ///   - role: the reader's.
    ///   - inMessage: whether a fragmented message is under way.
    ///   - room: how many bytes the message may still take.
    init?(
        _ bytes: UnsafeRawBufferPointer, role: WebSocketRole, inMessage: Bool, room: Int
    ) throws(WebSocketFailure) {
        guard let first = bytes.first else { return nil }
        guard first & 0x70 == 0 else { throw WebSocketFailure(.protocolError, "reserved bit set") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw WebSocketFailure(.protocolError, "unknown opcode")
        }
        isFinal = first & 0x80 != 0
        if opcode.isControl {
            guard isFinal else { throw WebSocketFailure(.protocolError, "fragmented control frame") }
        } else if opcode == .continuation {
            guard inMessage else { throw WebSocketFailure(.protocolError, "continuation of no message") }
        } else {
            guard !inMessage else { throw WebSocketFailure(.protocolError, "new message inside a fragmented one") }
        }

        guard bytes.count >= 2 else { return nil }
        let isMasked = bytes[1] & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw isMasked
                ? WebSocketFailure(.protocolError, "masked frame from a server")
                : WebSocketFailure(.protocolError, "unmasked frame from a client")
        }
        let short = bytes[1] & 0x7F
        let maskStart: Int
        let declared: UInt64
        if short < 126 {
            (maskStart, declared) = (2, UInt64(short))
        } else {
            guard !opcode.isControl else { throw WebSocketFailure(.protocolError, "control frame over 125 bytes") }
            let isLong = short == 127
            maskStart = isLong ? 10 : 4
            if isLong, bytes.count > 2, bytes[2] & 0x80 != 0 {
                throw WebSocketFailure(.protocolError, "length with its top bit set")
            }
            guard bytes.count >= maskStart else { return nil }
            declared =
                isLong
                ? UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
                : UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard declared > (isLong ? 0xFFFF : 125) else {
                throw WebSocketFailure(.protocolError, "length not in its shortest form")
            }
        }
        guard opcode != .close || declared != 1 else {
            throw WebSocketFailure(.protocolError, "close frame with half a code")
        }
        guard opcode.isControl || declared <= UInt64(max(room, 0)) else {
            throw WebSocketFailure(.messageTooBig, "message over the limit")
        }

        size = maskStart + (isMasked ? 4 : 0)
        guard bytes.count >= size else { return nil }
        mask = isMasked ? bytes.loadUnaligned(fromByteOffset: maskStart, as: UInt32.self) : 0
        length = Int(declared)
        self.opcode = opcode
    }

    /// Writes a header; `mask` in the order of the bytes in memory.
    static func append(
        _ opcode: WebSocketOpcode, length: Int, mask: UInt32?, to output: inout [UInt8]
    ) {
        output.append(0x80 | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        if length < 126 {
            output.append(maskBit | UInt8(truncatingIfNeeded: length))
        } else if length <= 0xFFFF {
            output.append(maskBit | 126)
            withUnsafeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian) { output.append(contentsOf: $0) }
        } else {
            output.append(maskBit | 127)
            withUnsafeBytes(of: UInt64(length).bigEndian) { output.append(contentsOf: $0) }
        }
        if let mask { withUnsafeBytes(of: mask) { output.append(contentsOf: $0) } }
    }
}

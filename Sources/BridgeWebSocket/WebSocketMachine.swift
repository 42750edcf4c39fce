/// One end of a WebSocket after its handshake (RFC 6455, sections 5 to 7): no I/O, no clock.
///
/// Reading: call ``next(_:)`` until it says `.needMore`. Payloads are unmasked in the caller's buffer, and a message
/// that lies whole in it is handed out from there. Writing appends frames to the caller's buffer. Once a close frame
/// was written nothing else is, and messages that still come are dropped until the peer's close frame.
package struct WebSocketMachine: ~Copyable {
    /// The first byte of a text message that is one frame.
    package static let wholeText: UInt8 = 0x80 | WebSocketOpcode.text.rawValue

    private enum Reading { case header, payload, ended }

    private let role: WebSocketRole
    private let limits: WebSocketLimits
    private let refusesBinary: Bool

    private var reading = Reading.header
    /// Whether a close frame was written.
    package private(set) var hasSentClose = false

    /// The frame under way; `remaining` and `mask` move along with its payload.
    private var opcode = WebSocketOpcode.text
    private var isFinal = true
    private var remaining = 0
    private var mask: UInt32 = 0

    /// The message under way: its kind, and what has come of it, frames before this one and pieces of this one.
    private var inMessage = false
    private var isText = true
    private var validator = UTF8Validator()
    private var emptyFragments = 0
    private var message = WebSocketPayload()

    /// A header, or a control frame's payload, that came in pieces.
    private var header = WebSocketPayload()
    private var control = WebSocketPayload()
    private var handedOut = HandedOut.nothing
    private enum HandedOut { case nothing, message, control }

    /// - Parameters:
    ///   - role: this end's.
    ///   - refusesBinary: whether a binary message is answered with 1003, at its header.
    package init(role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits(), refusesBinary: Bool = false) {
        self.role = role
        self.limits = limits
        self.refusesBinary = refusesBinary
    }

    /// Whether the peer's close frame was read, or its input is beyond repair: nothing is read any more.
    package var hasEnded: Bool { reading == .ended }

    // MARK: Reading

    /// Takes what makes the next event off the front of `input`, and unmasks it there.
    package mutating func next(_ input: inout UnsafeMutableRawBufferPointer) -> WebSocketEvent {
        switch handedOut {
        case .nothing: break
        case .message: message.removeAll()
        case .control: control.removeAll()
        }
        handedOut = .nothing
        do throws(WebSocketFailure) {
            while true {
                switch reading {
                case .header:
                    guard let header = try takeHeader(&input) else { return .needMore }
                    try begin(header)
                case .payload:
                    guard let event = try takePayload(&input) else {
                        if reading == .payload { return .needMore }
                        continue
                    }
                    return event
                case .ended:
                    input = UnsafeMutableRawBufferPointer(rebasing: input[input.endIndex...])
                    return .needMore
                }
            }
        } catch {
            reading = .ended
            message.removeAll()
            control.removeAll()
            return .failure(error)
        }
    }

    private mutating func takeHeader(
        _ input: inout UnsafeMutableRawBufferPointer
    ) throws(WebSocketFailure) -> WebSocketFrameHeader? {
        if header.isEmpty {
            if let whole = try parse(UnsafeRawBufferPointer(input)) {
                input = UnsafeMutableRawBufferPointer(rebasing: input[whole.size...])
                return whole
            }
        }
        // Cut in the middle: a byte at a time, at most fourteen.
        while !input.isEmpty {
            header.append(UnsafeRawBufferPointer(rebasing: input[..<1]))
            input = UnsafeMutableRawBufferPointer(rebasing: input[1...])
            if let whole = try parse(header.bytes) {
                header.removeAll()
                return whole
            }
        }
        return nil
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) throws(WebSocketFailure) -> WebSocketFrameHeader? {
        try WebSocketFrameHeader(bytes, role: role, inMessage: inMessage, room: limits.message - message.count)
    }

    private mutating func begin(_ header: WebSocketFrameHeader) throws(WebSocketFailure) {
        opcode = header.opcode
        isFinal = header.isFinal
        remaining = header.length
        mask = header.mask
        reading = .payload
        guard !opcode.isControl else { return }
        if opcode != .continuation {
            isText = opcode == .text
            validator = UTF8Validator()
            emptyFragments = 0
            guard isText || !refusesBinary || hasSentClose else {
                throw WebSocketFailure(.unsupportedData, "binary messages are not taken")
            }
        }
        inMessage = !isFinal
        if header.length > 0 {
            emptyFragments = 0
        } else if !isFinal {
            emptyFragments += 1
            guard emptyFragments <= limits.emptyFragments else {
                throw WebSocketFailure(.policyViolation, "too many empty fragments in a row")
            }
        }
    }

    /// nil when there is nothing to say: more is needed (`reading` stays `.payload`), or the frame gave no event.
    private mutating func takePayload(
        _ input: inout UnsafeMutableRawBufferPointer
    ) throws(WebSocketFailure) -> WebSocketEvent? {
        let count = min(remaining, input.count)
        let part = UnsafeMutableRawBufferPointer(rebasing: input[..<count])
        input = UnsafeMutableRawBufferPointer(rebasing: input[count...])
        let isASCII = WebSocketMask.apply(mask, to: part)
        remaining -= count
        let isWhole = remaining == 0
        if isWhole { reading = .header } else { mask = WebSocketMask.rotated(mask, by: count) }
        let bytes = UnsafeRawBufferPointer(part)

        if opcode.isControl {
            return try takeControl(bytes, isWhole: isWhole)
        }
        guard !hasSentClose else {
            message.removeAll()
            return nil
        }
        if isText, !isASCII || !validator.isAtBoundary {
            guard validator.accept(bytes) else { throw WebSocketFailure(.invalidData, "text that is not UTF-8") }
        }
        guard isWhole, isFinal else {
            message.append(bytes)
            return nil
        }
        guard !isText || validator.isAtBoundary else {
            throw WebSocketFailure(.invalidData, "text that ends inside a character")
        }
        guard !message.isEmpty else { return isText ? .text(bytes) : .binary(bytes) }
        message.append(bytes)
        handedOut = .message
        return isText ? .text(message.bytes) : .binary(message.bytes)
    }

    private mutating func takeControl(
        _ part: UnsafeRawBufferPointer, isWhole: Bool
    ) throws(WebSocketFailure) -> WebSocketEvent? {
        var bytes = part
        if !isWhole || !control.isEmpty {
            control.append(part)
            guard isWhole else { return nil }
            bytes = control.bytes
            handedOut = .control
        }
        switch opcode {
        case .close:
            let event = try Self.close(bytes)
            reading = .ended
            message.removeAll()
            return event
        case .ping:
            // After our close frame there is no more to be said.
            if hasSentClose {
                control.removeAll()
                // What comes next in this input may be kept there already when the next call begins.
                handedOut = .nothing
                return nil
            }
            return .ping(bytes)
        case .pong, .continuation, .text, .binary:
            return .pong(bytes)
        }
    }

    private static func close(_ bytes: UnsafeRawBufferPointer) throws(WebSocketFailure) -> WebSocketEvent {
        guard bytes.count >= 2 else { return .close(nil, reason: bytes) }
        let code = WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.mayBeSent else { throw WebSocketFailure(.protocolError, "close code that may not be sent") }
        let reason = UnsafeRawBufferPointer(rebasing: bytes[2...])
        guard UTF8Validator.isValid(reason) else {
            throw WebSocketFailure(.invalidData, "close reason that is not UTF-8")
        }
        return .close(code, reason: reason)
    }

    // MARK: Writing

    /// Each appends one frame to `output`, and returns false, with nothing written, after a close frame.

    /// A text message; the caller vouches for its UTF-8.
    @discardableResult
    package mutating func writeText(_ payload: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
        write(.text, payload, into: &output)
    }

    /// A server's text message, for who knows that no close frame was written; the caller vouches for its UTF-8.
    package static func appendText(_ payload: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        WebSocketFrameHeader.append(.text, length: payload.count, mask: nil, to: &output)
        output.append(contentsOf: payload)
    }

    @discardableResult
    package mutating func writeBinary(_ payload: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
        write(.binary, payload, into: &output)
    }

    /// - Parameter payload: at most 125 bytes; the rest is left out.
    @discardableResult
    package mutating func writePing(
        _ payload: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        into output: inout [UInt8]
    ) -> Bool {
        write(.ping, UnsafeRawBufferPointer(rebasing: payload.prefix(125)), into: &output)
    }

    /// - Parameter payload: of the ping it answers.
    @discardableResult
    package mutating func writePong(_ payload: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Bool {
        write(.pong, UnsafeRawBufferPointer(rebasing: payload.prefix(125)), into: &output)
    }

    /// The close frame: an answer to the peer's, or the first.
    /// - Parameters:
    ///   - code: nil for a frame without payload, the answer to such a one. One that may not be sent becomes 1000.
    ///   - reason: at most 123 bytes of it are sent, cut between characters.
    @discardableResult
    package mutating func writeClose(
        _ code: WebSocketCloseCode?, reason: String = "", into output: inout [UInt8]
    ) -> Bool {
        var payload: [UInt8] = []
        if let code {
            let raw = (code.mayBeSent ? code : .normal).rawValue
            payload = [UInt8(raw >> 8), UInt8(raw & 0xFF)]
            for scalar in reason.unicodeScalars {
                let encoded = UTF8.encode(scalar)?.map { $0 } ?? []
                guard payload.count + encoded.count <= 125 else { break }
                payload += encoded
            }
        }
        let isFirst = payload.withUnsafeBytes { write(.close, $0, into: &output) }
        hasSentClose = true
        return isFirst
    }

    private mutating func write(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) -> Bool {
        guard !hasSentClose else { return false }
        switch role {
        case .server:
            WebSocketFrameHeader.append(opcode, length: payload.count, mask: nil, to: &output)
            output.append(contentsOf: payload)
        case .client:
            let mask = UInt32.random(in: .min ... .max)
            WebSocketFrameHeader.append(opcode, length: payload.count, mask: mask, to: &output)
            let start = output.count
            output.append(contentsOf: payload)
            output.withUnsafeMutableBytes { bytes in
                _ = WebSocketMask.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
            }
        }
        return true
    }
}

/// Takes a body off the front of what arrives, in any framing (RFC 9112, sections 6.2, 6.3 and 7.1).
struct HTTPBodyReader {
    enum Event {
        case needMore
        /// A part of the body, in the caller's own buffer.
        case body(UnsafeRawBufferPointer)
        case end
    }

    private enum Phase: Equatable {
        case counted(remaining: Int)
        case untilClose
        case chunkSize(Int, digits: Int)
        case chunkPadding
        case chunkExtension
        case chunkSizeEnd
        case chunkData(remaining: Int)
        case chunkDataEnd
        case chunkDataLineFeed
        case trailers
        case done
    }

    /// A chunk's size and extensions may take this many bytes; no client sends half as much.
    private static let chunkLineLimit = 256

    private var phase: Phase
    private var trailers: HTTPHeadScanner
    private var chunkSize = 0
    private var chunkLine = 0
    private var received = 0
    /// Bytes of body allowed; to be set before the first `next`.
    var limit: Int

    init(_ framing: HTTPBodyFraming, limits: HTTPLimits) {
        switch framing {
        case .length(let length): phase = .counted(remaining: length)
        case .chunked: phase = .chunkSize(0, digits: 0)
        case .untilClose: phase = .untilClose
        }
        trailers = HTTPHeadScanner(.trailers, limits: limits)
        limit = limits.body
    }

    /// Whether the end of the connection is the end of the body.
    var endsWithInput: Bool { phase == .untilClose }

    mutating func next(_ input: inout UnsafeRawBufferPointer) throws(HTTPFailure) -> Event {
        while true {
            switch phase {
            case .counted(let remaining):
                // The length is known before the first byte of the body is.
                guard remaining <= limit - received else { throw tooLarge }
                guard remaining > 0 else {
                    phase = .done
                    return .end
                }
                guard let part = take(remaining, from: &input) else { return .needMore }
                phase = .counted(remaining: remaining - part.count)
                return .body(part)
            case .untilClose:
                guard input.isEmpty || received < limit else { throw tooLarge }
                guard let part = take(limit - received, from: &input) else { return .needMore }
                return .body(part)
            case .chunkData(let remaining):
                guard let part = take(remaining, from: &input) else { return .needMore }
                phase = part.count < remaining ? .chunkData(remaining: remaining - part.count) : .chunkDataEnd
                return .body(part)
            case .trailers:
                guard try trailers.scan(&input) == .complete else { return .needMore }
                phase = .done
                return .end
            case .done:
                return .end
            case .chunkSize, .chunkPadding, .chunkExtension, .chunkSizeEnd, .chunkDataEnd, .chunkDataLineFeed:
                guard let byte = input.first else { return .needMore }
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
                try accept(byte)
            }
        }
    }

    private mutating func take(
        _ count: Int, from input: inout UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard !input.isEmpty else { return nil }
        let part = UnsafeRawBufferPointer(rebasing: input.prefix(count))
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(count))
        received += part.count
        return part
    }

    /// What stands around the data of chunks.
    private mutating func accept(_ byte: UInt8) throws(HTTPFailure) {
        switch phase {
        case .chunkSize(let size, let digits):
            try countLine()
            if let digit = byte.hexadecimalValue {
                // Checked at each digit, so the number can never overflow.
                guard size <= (limit - received) >> 4 else { throw tooLarge }
                let size = size << 4 | Int(digit)
                guard size <= limit - received else { throw tooLarge }
                phase = .chunkSize(size, digits: digits + 1)
            } else {
                guard digits > 0 else { throw HTTPFailure(400, "malformed chunk size") }
                chunkSize = size
                switch byte {
                case .carriageReturn: phase = .chunkSizeEnd
                case .semicolon: phase = .chunkExtension
                case .space, .tab: phase = .chunkPadding
                default: throw HTTPFailure(400, "malformed chunk size")
                }
            }
        case .chunkPadding:
            try countLine()
            if byte == .semicolon {
                phase = .chunkExtension
            } else {
                guard byte.isOptionalWhitespace else { throw HTTPFailure(400, "malformed chunk size") }
            }
        case .chunkExtension:
            try countLine()
            if byte == .carriageReturn {
                phase = .chunkSizeEnd
            } else {
                guard byte.isFieldValueByte else { throw HTTPFailure(400, "malformed chunk extension") }
            }
        case .chunkSizeEnd:
            guard byte == .lineFeed else { throw HTTPFailure(400, "CR without LF") }
            chunkLine = 0
            phase = chunkSize > 0 ? .chunkData(remaining: chunkSize) : .trailers
        case .chunkDataEnd:
            guard byte == .carriageReturn else { throw HTTPFailure(400, "no CRLF after a chunk") }
            phase = .chunkDataLineFeed
        case .chunkDataLineFeed:
            guard byte == .lineFeed else { throw HTTPFailure(400, "no CRLF after a chunk") }
            phase = .chunkSize(0, digits: 0)
        case .counted, .untilClose, .chunkData, .trailers, .done:
            break
        }
    }

    private mutating func countLine() throws(HTTPFailure) {
        chunkLine += 1
        guard chunkLine <= Self.chunkLineLimit else { throw HTTPFailure(400, "chunk extensions too long") }
    }

    private var tooLarge: HTTPFailure { HTTPFailure(413, "body over the limit of \(limit) bytes") }
}

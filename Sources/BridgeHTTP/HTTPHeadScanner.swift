/// Reads a start line and fields, or fields alone, byte by byte as they arrive (RFC 9112, sections 2.2 and 5).
///
/// Every byte is checked when it comes, so a fault is known at its byte, however the bytes were cut. Lines end with
/// CRLF and nothing else; there is no line folding.
struct HTTPHeadScanner {
    enum Kind { case request, response, trailers }

    enum Progress { case needMore, startLine, complete }

    private enum Phase {
        case beforeStartLine, blankLineEnd, startLine, startLineEnd
        case fieldStart, name, value, valueEnd, headEnd
    }

    private let kind: Kind
    private let limits: HTTPLimits
    private var phase: Phase
    private var sawBlankLine = false
    private(set) var bytes: [UInt8] = []
    private(set) var entries: [HTTPFields.Entry] = []
    private var startLineStart = 0
    private var startLineEnd = 0
    private var blockLength = 0
    private var fieldCount = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    private var valueEnd = 0

    init(_ kind: Kind, limits: HTTPLimits) {
        self.kind = kind
        self.limits = limits
        phase = kind == .trailers ? .fieldStart : .beforeStartLine
    }

    /// Whether nothing of a head has come, or but the blank line that may precede one.
    var isIdle: Bool { phase == .beforeStartLine }

    /// Without its CRLF; to be read when `scan` says `.startLine`.
    var startLine: ArraySlice<UInt8> { bytes[startLineStart..<startLineEnd] }

    var fields: HTTPFields { HTTPFields(storage: bytes, entries: entries) }

    /// Takes bytes off the front of `input`: up to the end of the start line, of the head, or all of them.
    mutating func scan(_ input: inout UnsafeRawBufferPointer) throws(HTTPFailure) -> Progress {
        let before = bytes.count
        var index = 0
        var progress = Progress.needMore
        while index < input.count, progress == .needMore {
            if phase == .value { index += skipVisible(in: input, from: index, base: before) }
            guard index < input.count else { break }
            progress = try accept(input[index], at: before + index)
            index += 1
        }
        // Trailers are read past, not kept.
        if kind != .trailers { bytes.append(contentsOf: input[..<index]) }
        input = UnsafeRawBufferPointer(rebasing: input[index...])
        return progress
    }

    private mutating func accept(_ byte: UInt8, at position: Int) throws(HTTPFailure) -> Progress {
        switch phase {
        case .beforeStartLine:
            if byte == .carriageReturn, !sawBlankLine {
                phase = .blankLineEnd
            } else {
                guard byte.isTokenByte else { throw HTTPFailure(400, "malformed start line") }
                startLineStart = position
                phase = .startLine
                try acceptStartLine(byte, at: position)
            }
        case .blankLineEnd:
            guard byte == .lineFeed else { throw Self.bareReturn }
            sawBlankLine = true
            phase = .beforeStartLine
        case .startLine:
            try acceptStartLine(byte, at: position)
        case .startLineEnd:
            guard byte == .lineFeed else { throw Self.bareReturn }
            phase = .fieldStart
            entries.reserveCapacity(16)
            return .startLine
        case .fieldStart:
            try acceptFieldStart(byte, at: position)
        case .name:
            try count()
            if byte == .colon {
                nameEnd = position
                (valueStart, valueEnd) = (position + 1, position + 1)
                phase = .value
            } else if !byte.isTokenByte {
                throw HTTPFailure(400, "malformed field name")
            }
        case .value:
            try count()
            try acceptValue(byte, at: position)
        case .valueEnd:
            guard byte == .lineFeed else { throw Self.bareReturn }
            try count()
            if kind != .trailers {
                entries.append(HTTPFields.Entry(name: nameStart..<nameEnd, value: valueStart..<valueEnd))
            }
            phase = .fieldStart
        case .headEnd:
            guard byte == .lineFeed else { throw Self.bareReturn }
            return .complete
        }
        return .needMore
    }

    private mutating func acceptStartLine(_ byte: UInt8, at position: Int) throws(HTTPFailure) {
        if byte == .carriageReturn {
            startLineEnd = position
            phase = .startLineEnd
        } else {
            // A reason phrase may hold what a field value may; a request line is plain ASCII.
            guard kind == .response ? byte.isFieldValueByte : byte >= 0x20 && byte < 0x7F else {
                throw HTTPFailure(400, "malformed start line")
            }
            guard position - startLineStart < limits.requestLine else {
                throw HTTPFailure(414, "request line over the limit of \(limits.requestLine) bytes")
            }
        }
    }

    private mutating func acceptFieldStart(_ byte: UInt8, at position: Int) throws(HTTPFailure) {
        if byte == .carriageReturn {
            phase = .headEnd
            return
        }
        guard !byte.isOptionalWhitespace else { throw HTTPFailure(400, "folded field line") }
        guard byte.isTokenByte else { throw HTTPFailure(400, "malformed field name") }
        guard fieldCount < limits.fields else {
            throw HTTPFailure(431, "more than \(limits.fields) header fields")
        }
        fieldCount += 1
        try count()
        nameStart = position
        phase = .name
    }

    private mutating func acceptValue(_ byte: UInt8, at position: Int) throws(HTTPFailure) {
        if byte == .carriageReturn {
            phase = .valueEnd
        } else if byte.isOptionalWhitespace {
            // Leading: skipped. Trailing: not counted unless something follows.
            if valueStart == valueEnd { (valueStart, valueEnd) = (position + 1, position + 1) }
        } else {
            guard byte.isFieldValueByte else { throw HTTPFailure(400, "control character in a field value") }
            valueEnd = position + 1
        }
    }

    /// The common bytes of a value, as `accept` would take them one by one as far as the limit allows.
    private mutating func skipVisible(in input: UnsafeRawBufferPointer, from start: Int, base: Int) -> Int {
        let end = start + min(input.count - start, limits.fieldBlock - blockLength)
        var index = start
        while index < end, input[index] > .space, input[index] < 0x7F { index += 1 }
        guard index > start else { return 0 }
        valueEnd = base + index
        blockLength += index - start
        return index - start
    }

    private mutating func count() throws(HTTPFailure) {
        blockLength += 1
        guard blockLength <= limits.fieldBlock else {
            throw HTTPFailure(431, "header fields over the limit of \(limits.fieldBlock) bytes")
        }
    }

    private static let bareReturn = HTTPFailure(400, "CR without LF")
}

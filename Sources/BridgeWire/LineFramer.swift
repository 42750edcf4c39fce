/// Cuts a byte stream into lines for the lines transport: one JSON text a line, ended by LF.
///
/// A CR before the LF and blank lines are tolerated; a last line without LF counts. After ``Event/tooLong`` or
/// ``Event/webRequest`` everything that follows is ignored: the connection is to be closed.
package struct LineFramer: Sendable {
    package enum Event {
        /// A line without its end. The bytes are valid during the call only.
        case line(UnsafeRawBufferPointer)
        /// A line is longer than the limit, whether its end was seen or not.
        case tooLong
        /// A line begins as an HTTP request does: a web page is talking to this port.
        case webRequest
    }

    private let limit: Int
    private var partial: [UInt8] = []
    private var closed = false
    /// How many lines with nothing in them were passed over.
    package private(set) var blankLines = 0

    /// - Parameter limit: the length of a line in bytes, its end not counted.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Calls `body` with each event in order. A line that is whole in `bytes` is handed over without being copied.
    package mutating func feed(_ bytes: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        var start = 0
        while !closed, start < bytes.count {
            // Lines of no bytes at all cost no more than these.
            if partial.isEmpty, bytes[start] == UInt8(ascii: "\n") {
                blankLines += 1
                start += 1
                continue
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                keep(rest, body)
                return
            }
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
            start += end + 1
            if partial.isEmpty {
                emit(piece, body)
            } else if partial.count + piece.count > limit + 1 {
                close(beginsAsWebRequest(piece) ? .webRequest : .tooLong, body)
            } else {
                partial.append(contentsOf: piece)
                emitPartial(body)
            }
        }
    }

    /// The input has ended: what is left is the last line.
    package mutating func finish(_ body: (Event) -> Void) {
        if !closed, !partial.isEmpty { emitPartial(body) }
        closed = true
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        // One byte more than the limit may be the CR of a line that just fits.
        let count = partial.count + piece.count
        let last = piece.last ?? partial.last
        if count > limit + 1 || (count == limit + 1 && last != UInt8(ascii: "\r")) {
            close(beginsAsWebRequest(piece) ? .webRequest : .tooLong, body)
        } else {
            partial.append(contentsOf: piece)
        }
    }

    private mutating func emitPartial(_ body: (Event) -> Void) {
        let line = partial
        partial.removeAll(keepingCapacity: line.count <= 1 << 16)
        line.withUnsafeBytes { emit($0, body) }
    }

    private mutating func emit(_ piece: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        var line = piece
        if line.last == UInt8(ascii: "\r") { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
        if isWebRequest(line) {
            close(.webRequest, body)
        } else if line.count > limit {
            close(.tooLong, body)
        } else if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
            blankLines += 1
        } else {
            body(.line(line))
        }
    }

    private mutating func close(_ event: Event, _ body: (Event) -> Void) {
        closed = true
        partial = []
        body(event)
    }

    private func beginsAsWebRequest(_ piece: UnsafeRawBufferPointer) -> Bool {
        // As much as the longest of the beginnings needs.
        let start = Array(partial.prefix(9)) + piece.prefix(9)
        return start.withUnsafeBytes(isWebRequest)
    }
}

private let webRequestStarts: [StaticString] = [
    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ",
]

/// An HTTP method and a space, or `Host:` in any case. No JSON text begins so.
private func isWebRequest(_ line: UnsafeRawBufferPointer) -> Bool {
    // Every JSON text begins with something else, mostly `{`: one comparison for the usual line.
    guard let first = line.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "z") else { return false }
    let host = "host:".utf8
    // Only a letter has another case: with that bit, 0x1A would be a colon.
    if line.count >= host.count, zip(line, host).allSatisfy({ $0 == $1 || ($0 >= 0x40 && $0 | 0x20 == $1) }) {
        return true
    }
    return webRequestStarts.contains { start in
        start.withUTF8Buffer { $0.count <= line.count && zip(line, $0).allSatisfy { $0 == $1 } }
    }
}

import BridgeWire
import Testing

@Suite("Lines: one JSON text each")
struct LineFramerTests {
    /// Events in words; pieces of a line are joined.
    private func frame(_ pieces: [[UInt8]], limit: Int = 16) -> [String] {
        var framer = LineFramer(limit: limit)
        var events: [String] = []
        let note: (LineFramer.Event) -> Void = { event in
            switch event {
            case .line(let bytes): events.append(String(decoding: bytes, as: UTF8.self))
            case .tooLong: events.append("<too long>")
            case .webRequest: events.append("<web request>")
            }
        }
        for piece in pieces { piece.withUnsafeBytes { framer.feed($0, note) } }
        framer.finish(note)
        return events
    }

    static let cases: [(String, [String])] = [
        ("{\"a\":1}\n{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
        ("1\r\n2\r\n", ["1", "2"]),
        ("\n\r\n  \n1\n\n", ["1"]),
        ("1\n2", ["1", "2"]),
        ("1\n2\r", ["1", "2"]),
        ("", []),
        ("\"—\u{1F600}\"\n", ["\"—\u{1F600}\""]),
        ("1234567890123456\n1\n", ["1234567890123456", "1"]),
        ("1234567890123456\r\n1\n", ["1234567890123456", "1"]),
        ("123456789012345\n1\n", ["123456789012345", "1"]),
        ("12345678901234567\n1\n", ["<too long>"]),
        ("1\n123456789012345678901234567890", ["1", "<too long>"]),
        ("1\nGET / HTTP/1.1\r\nHost: x\r\n\r\n1\n", ["1", "<web request>"]),
        ("POST /long-enough-to-pass-the-limit HTTP/1.1\r\n1\n", ["<web request>"]),
        ("HEAD / x\n1\n", ["<web request>"]), ("PUT / x\n1\n", ["<web request>"]),
        ("DELETE / x\n1\n", ["<web request>"]), ("CONNECT x\n1\n", ["<web request>"]),
        ("OPTIONS *\n1\n", ["<web request>"]), ("TRACE /\n1\n", ["<web request>"]),
        ("PATCH / x\n1\n", ["<web request>"]), ("hOST: x\n1\n", ["<web request>"]),
        ("Host:x", ["<web request>"]),
        ("GETTER\nget x\nHosts\nhello\n", ["GETTER", "get x", "Hosts", "hello"]),
        ("host\u{1A}x\nHOST\u{1A}\n", ["host\u{1A}x", "HOST\u{1A}"]),
    ]

    @Test("Whole, byte by byte, and cut everywhere", arguments: cases)
    func cuts(text: String, events: [String]) {
        let bytes = Array(text.utf8)
        #expect(frame([bytes]) == events)
        #expect(frame(bytes.map { [$0] }) == events)
        for cut in bytes.indices {
            #expect(frame([Array(bytes[..<cut]), Array(bytes[cut...])]) == events)
        }
    }

    @Test("nd-05: a line without an end is refused at the limit, and what follows is not kept")
    func endless() {
        var framer = LineFramer(limit: 1 << 20)
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 16)
        var events = 0
        var fed = 0
        for _ in 0..<1_600 {
            if events == 0 { fed += piece.count }
            piece.withUnsafeBytes {
                framer.feed($0) { event in
                    if case .tooLong = event { events += 1 }
                }
            }
        }
        #expect(events == 1)
        #expect(fed <= 1 << 20 + 1 << 17)
    }
}

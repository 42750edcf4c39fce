import BridgeWebSocket
import Testing

@Suite("Frames that are taken")
struct FrameTests {
    @Test("the examples of RFC 6455, section 5.7")
    func examples() {
        let client = Setting(role: .client)
        #expect(read([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], client) == [.text("Hello")])
        #expect(
            read([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]) == [.text("Hello")])
        #expect(read([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], client) == [.text("Hello")])
        #expect(read([0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], client) == [.ping("Hello")])
        #expect(
            read([0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]) == [.pong("Hello")])
        let quarter = [UInt8](repeating: 7, count: 256)
        #expect(read([0x82, 0x7E, 0x01, 0x00] + quarter, client) == [.binary(quarter)])
        let big = [UInt8](repeating: 7, count: 65_536)
        let frame = [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + big
        #expect(read(pieces: [frame], client) == [.binary(big)])
        #expect(read(pieces: frame.map { [$0] }, client) == [.binary(big)])
    }

    @Test(
        "text and binary of every size around the length forms",
        arguments: [0, 1, 3, 4, 7, 8, 9, 63, 125, 126, 127, 300])
    func sizes(count: Int) {
        let payload = (0..<count).map { UInt8($0 % 100 + 20) }
        let text = String(decoding: payload, as: UTF8.self)
        let bytes = [Frame.text(text), Frame(opcode: 2, payload: payload.map { $0 | 0x80 })].bytes
        let once: [Item] = [.text(text), .binary(payload.map { $0 | 0x80 })]
        #expect(read(bytes) == once)
        #expect(read(bytes + bytes + [0x81, 0xFE, 0]) == once + once)
    }

    @Test("65,535 and 65,536 bytes")
    func longForms() {
        for count in [65_535, 65_536] {
            let text = String(repeating: "x", count: count)
            let bytes = Frame.text(text).bytes
            #expect(read(pieces: [bytes, bytes]) == [.text(text), .text(text)])
            #expect(read(pieces: [Array(bytes[..<40_000]), Array(bytes[40_000...])]) == [.text(text)])
        }
    }

    @Test("a ping between fragments comes at once and is no part of the message (ws-fr-01)")
    func interleaved() {
        let bytes = [Frame.text("hello", isFinal: false), .ping(), .ping("x"), .rest("world")].bytes
        #expect(read(bytes) == [.ping(""), .ping("x"), .text("helloworld")])
    }

    @Test("characters cut between fragments and reads")
    func cutCharacters() {
        let text = "κόσμε 😀 \u{FFFD}\u{10FFFF} plain ASCII of some length é"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let frames = [
                Frame(opcode: 1, payload: Array(bytes[..<cut]), isFinal: false),
                Frame(opcode: 0, payload: Array(bytes[cut...])),
            ]
            #expect(read(pieces: [frames.bytes]) == [.text(text)])
            #expect(read(pieces: frames.bytes.map { [$0] }) == [.text(text)])
        }
    }

    @Test("payload is never read as a header (ws-fr-13)")
    func lookalike() {
        let payload = Array(String(repeating: "ab", count: 150_000).utf8)
        // A mask that turns the payload into what looks like a header on the wire.
        let bytes = Frame(opcode: 1, payload: payload, mask: [0x81 ^ 0x61, 0x7E ^ 0x62, 0, 0]).bytes
        let pieces = stride(from: 0, to: bytes.count, by: 1_460).map { Array(bytes[$0..<min($0 + 1_460, bytes.count)]) }
        #expect(read(pieces: pieces) == [.text(String(decoding: payload, as: UTF8.self))])
    }

    @Test("many one-byte fragments are one message (ws-fr-09)")
    func manyFragments() {
        var machine = WebSocketMachine(role: .server)
        var items: [Item] = []
        feed(Frame.text("x", isFinal: false).bytes, to: &machine, items: &items)
        let some = [Frame](repeating: .rest("x", isFinal: false), count: 1_000).bytes
        for _ in 0..<131 { feed(some, to: &machine, items: &items) }
        #expect(items.isEmpty)
        feed(Frame.rest("").bytes, to: &machine, items: &items)
        #expect(items == [.text(String(repeating: "x", count: 131_001))])
    }
}

@Suite("Frames that are refused, and the code for it")
struct FrameRefusalTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        var name: String
        var code: UInt16
        var bytes: [UInt8]
        var setting = Setting()
        var before: [Item] = []
        var testDescription: String { "\(code) \(name)" }
    }

    static func control(_ opcode: UInt8, _ count: Int) -> Frame {
        Frame(opcode: opcode, payload: [UInt8](repeating: 0x61, count: count))
    }

    static let framing: [Refused] =
        [
            Refused(name: "RSV1 (ws-pmd-05)", code: 1002, bytes: Frame(opcode: 1, payload: [1], reserved: 4).bytes),
            Refused(name: "RSV2", code: 1002, bytes: Frame(opcode: 1, payload: [], reserved: 2).bytes),
            Refused(name: "RSV3 on a ping", code: 1002, bytes: Frame(opcode: 9, payload: [], reserved: 1).bytes),
            Refused(name: "unmasked from a client (ws-fr-05)", code: 1002, bytes: [0x81, 0x02, 0x68, 0x69]),
            Refused(
                name: "masked from a server", code: 1002, bytes: Frame.text("hi").bytes, setting: Setting(role: .client)
            ),
            Refused(
                name: "16-bit length of 125", code: 1002, bytes: Frame(opcode: 1, payload: [], length: (125, 2)).bytes),
            Refused(
                name: "64-bit length of 65,535", code: 1002,
                bytes: Frame(opcode: 1, payload: [], length: (65_535, 8)).bytes),
            Refused(name: "64-bit length of 0", code: 1002, bytes: Frame(opcode: 2, payload: [], length: (0, 8)).bytes),
            Refused(
                name: "top bit of a length (ws-fr-07)", code: 1002,
                bytes: [0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]),
            Refused(
                name: "greatest length (ws-fr-07)", code: 1009,
                bytes: [0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            Refused(name: "continuation of nothing", code: 1002, bytes: Frame.rest("x").bytes),
            Refused(
                name: "continuation after the end", code: 1002,
                bytes: [Frame.text("a", isFinal: false), .rest("b"), .rest("c")].bytes, before: [.text("ab")]),
            Refused(
                name: "text inside a message (ws-fr-03)", code: 1002,
                bytes: [Frame.text("a", isFinal: false), .text("b")].bytes),
            Refused(
                name: "binary inside a message", code: 1002,
                bytes: [Frame.text("a", isFinal: false), Frame(opcode: 2, payload: [])].bytes),
            Refused(
                name: "fragmented ping (ws-fr-03)", code: 1002,
                bytes: Frame(opcode: 9, payload: [], isFinal: false).bytes),
            Refused(name: "fragmented close", code: 1002, bytes: Frame(opcode: 8, payload: [], isFinal: false).bytes),
            Refused(name: "ping of 126 bytes", code: 1002, bytes: control(9, 126).bytes),
            Refused(name: "close of 126 bytes", code: 1002, bytes: control(8, 126).bytes),
            Refused(name: "close of 1 byte (ws-fr-03)", code: 1002, bytes: control(8, 1).bytes),
        ]
        + [0x3, 0x4, 0x5, 0x6, 0x7, 0xB, 0xC, 0xD, 0xE, 0xF].map {
            Refused(name: "opcode \($0)", code: 1002, bytes: Frame(opcode: $0, payload: []).bytes)
        }

    static let close: [Refused] =
        [
            0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
        ].map { Refused(name: "close code \($0) (ws-cl-01)", code: 1002, bytes: Frame.close($0).bytes) } + [
            Refused(
                name: "close reason (ws-cl-01)", code: 1007,
                bytes: Frame.close(
                    1000, [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xED, 0xA0, 0x80]
                ).bytes),
            Refused(name: "cut close reason", code: 1007, bytes: Frame.close(1000, [0xC3]).bytes),
        ]

    static let kinds: [Refused] = [
        Refused(
            name: "binary", code: 1003, bytes: Frame(opcode: 2, payload: [1, 2]).bytes,
            setting: Setting(refusesBinary: true)),
        Refused(
            name: "binary in fragments, at the first", code: 1003,
            bytes: Frame(opcode: 2, payload: [1, 2], isFinal: false).bytes, setting: Setting(refusesBinary: true)),
        Refused(
            name: "binary, but unmasked", code: 1002, bytes: Frame(opcode: 2, payload: [1, 2], mask: nil).bytes,
            setting: Setting(refusesBinary: true)),
        Refused(
            name: "binary, but length not minimal", code: 1002,
            bytes: Frame(opcode: 2, payload: [], length: (3, 2)).bytes,
            setting: Setting(refusesBinary: true)),
        Refused(
            name: "binary, but RSV", code: 1002, bytes: Frame(opcode: 2, payload: [], reserved: 4).bytes,
            setting: Setting(refusesBinary: true)),
        Refused(
            name: "after messages", code: 1002, bytes: [Frame.text("a"), .ping("b"), .rest("c")].bytes,
            before: [.text("a"), .ping("b")]),
    ]

    @Test("one fault, one code, at whatever byte the input is cut", arguments: framing + close + kinds)
    func refuses(_ sample: Refused) {
        #expect(read(sample.bytes, sample.setting) == sample.before + [.failure(sample.code)])
        // Nothing after a fault is looked at.
        let more = sample.bytes + [Frame.text("more"), .close(1000)].bytes
        #expect(read(pieces: [more], sample.setting) == sample.before + [.failure(sample.code)])
    }

    @Test("a fault of the header is told at its byte")
    func early() {
        #expect(read([0xC1]) == [.failure(1002)])
        #expect(read([0x83]) == [.failure(1002)])
        #expect(read([0x80]) == [.failure(1002)])
        #expect(read([0x09]) == [.failure(1002)])
        #expect(read([0x81, 0x00]) == [.failure(1002)])
        #expect(read([0x89, 0xFE]) == [.failure(1002)])
        #expect(read([0x88, 0x81]) == [.failure(1002)])
        #expect(read([0x81, 0xFF, 0x80]) == [.failure(1002)])
        #expect(read([0x81, 0xFE, 0x00, 0x7D]) == [.failure(1002)])
    }

    @Test(
        "text that is no UTF-8 fails at its first bad byte, in the middle of a frame",
        arguments: [
            [0x80], [0xBF], [0xC0], [0xC1], [0xC2, 0x41], [0xC2, 0xC2], [0xE0, 0x9F], [0xE1, 0x80, 0x41], [0xED, 0xA0],
            [0xEF, 0xBF, 0xC0], [0xF0, 0x8F], [0xF4, 0x90], [0xF5], [0xFF], [0xF1, 0x80, 0x80, 0x7F], [0xFE],
        ])
    func invalidText(bad: [UInt8]) {
        for lead in [0, 1, 7, 8, 17] {
            let payload = [UInt8](repeating: 0x61, count: lead) + bad
            let whole = Frame(opcode: 1, payload: payload + [UInt8](repeating: 0x61, count: 30))
            // Cut right after the bad byte: the rest of the frame is not waited for.
            let cut = Array(whole.bytes[..<(6 + payload.count)])
            #expect(read(cut) == [.failure(1007)])
            #expect(read(Array(cut.dropLast())) == [])
            let fragments = [Frame(opcode: 1, payload: Array(payload.dropLast()), isFinal: false)].bytes
            let last = Frame(opcode: 0, payload: payload.suffix(1) + [0x61, 0x61]).bytes
            #expect(read(fragments + last.dropLast(2)) == [.failure(1007)])
        }
    }

    @Test("text that ends inside a character", arguments: [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] as [[UInt8]])
    func cutText(payload: [UInt8]) {
        #expect(read(Frame(opcode: 1, payload: payload).bytes) == [.failure(1007)])
        let fragments = [Frame(opcode: 1, payload: payload, isFinal: false), Frame(opcode: 0, payload: [])]
        #expect(read(fragments.bytes) == [.failure(1007)])
    }

    @Test("binary may be anything")
    func anyBinary() {
        #expect(read(Frame(opcode: 2, payload: [0xFF, 0xC0]).bytes) == [.binary([0xFF, 0xC0])])
    }
}

@Suite("Limits on messages, inclusive, at -1, 0, +1")
struct MessageLimitTests {
    @Test(
        "one frame: 1009 from its header alone",
        arguments: [10, 125, 126, 200, 65_535, 65_536], [-1, 0, 1])
    func frame(limit: Int, offset: Int) {
        let setting = Setting(limits: WebSocketLimits(message: limit))
        let text = String(repeating: "x", count: limit + offset)
        let bytes = Frame.text(text).bytes
        if offset > 0 {
            let size = limit + offset < 126 ? 2 : limit + offset < 65_536 ? 4 : 10
            #expect(read(Array(bytes[..<size]), setting) == [.failure(1009)])
        } else {
            #expect(read(pieces: [bytes], setting) == [.text(text)])
            #expect(read(pieces: [Array(bytes[..<9]), Array(bytes[9...])], setting) == [.text(text)])
        }
    }

    @Test("fragments: 1009 at the header with which the sum passes it (ws-fr-11)", arguments: [-1, 0, 1])
    func sum(offset: Int) {
        let setting = Setting(limits: WebSocketLimits(message: 20))
        let start = [Frame.text("0123456789", isFinal: false), .ping("p"), .rest("01234", isFinal: false)].bytes
        let last = Frame.rest(String(repeating: "x", count: 5 + offset), isFinal: false).bytes
        let items = read(start + last[..<2], setting)
        #expect(items == (offset > 0 ? [.ping("p"), .failure(1009)] : [.ping("p")]))
        if offset <= 0 {
            let text = "012345678901234" + String(repeating: "x", count: 5 + offset)
            #expect(read(start + last + Frame.rest("").bytes, setting) == [.ping("p"), .text(text)])
        }
        // The sum is of one message.
        let two = ["0123456789012345", "0123456789"]
        #expect(read(two.map { Frame.text($0) }.bytes, setting) == two.map { .text($0) })
    }

    @Test("control frames do not count", arguments: [0, 125])
    func control(count: Int) {
        let payload = String(repeating: "p", count: count)
        #expect(read(Frame.ping(payload).bytes, Setting(limits: WebSocketLimits(message: 0))) == [.ping(payload)])
    }

    @Test("empty fragments in a row: 1008 at the one over the limit", arguments: [(-1, false), (0, false), (1, true)])
    func empty(offset: Int, fails: Bool) {
        let limit = WebSocketLimits().emptyFragments
        #expect(limit == 1_024)
        let row = [Frame](repeating: .rest("", isFinal: false), count: limit + offset)
        let frames = [Frame.text("a", isFinal: false)] + row
        #expect(read(pieces: [frames.bytes]) == (fails ? [.failure(1008)] : []))
        // The first may be one of them, and a ping between them changes nothing.
        let others = [Frame.text("", isFinal: false), .ping("")] + row.dropFirst()
        #expect(read(pieces: [others.bytes]) == (fails ? [.ping(""), .failure(1008)] : [.ping("")]))
        // A byte between them does, and the last of a message is none.
        let half = [Frame](repeating: .rest("", isFinal: false), count: limit)
        let apart = [Frame.text("a", isFinal: false)] + half + [.rest("b", isFinal: false)] + half + [.rest("")]
        #expect(read(pieces: [apart.bytes]) == [.text("ab")])
    }
}

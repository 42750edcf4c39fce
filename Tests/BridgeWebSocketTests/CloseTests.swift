import BridgeWebSocket
import Testing

@Suite("Closing, writing, both roles")
struct CloseTests {
    func output(_ role: WebSocketRole = .server, _ write: (inout WebSocketMachine, inout [UInt8]) -> Void) -> [UInt8] {
        var machine = WebSocketMachine(role: role)
        var output: [UInt8] = []
        write(&machine, &output)
        return output
    }

    @Test(
        "codes that may be sent",
        arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999])
    func validCodes(code: UInt16) {
        #expect(read(Frame.close(code, Array("bye é".utf8)).bytes) == [.close(code, "bye é")])
        #expect(read(Frame.close(code).bytes + Frame.text("late").bytes) == [.close(code, "")])
    }

    @Test("a close without a code is answered without one")
    func noCode() {
        #expect(read(Frame(opcode: 8, payload: []).bytes) == [.close(nil, "")])
        #expect(output { _ = $0.writeClose(nil, into: &$1) } == [0x88, 0x00])
    }

    @Test("a close frame is written once, and nothing after it")
    func once() {
        var machine = WebSocketMachine(role: .server)
        var output: [UInt8] = []
        let isFirst = machine.writeClose(.goingAway, reason: "x", into: &output)
        let (hasSentClose, hasEnded) = (machine.hasSentClose, machine.hasEnded)
        #expect(isFirst && hasSentClose && !hasEnded)
        #expect(output == [0x88, 0x03, 0x03, 0xE9, 0x78])
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        let later = [
            machine.writeClose(.normal, into: &output), machine.writeText(empty, into: &output),
            machine.writeBinary(empty, into: &output), machine.writePing(into: &output),
            machine.writePong(empty, into: &output),
        ]
        #expect(later == [false, false, false, false, false])
        #expect(output.count == 5)
    }

    @Test("after our close: data and pings are dropped, framing still counts, the peer's close is told")
    func discarding() {
        let late = [
            Frame.text("a", isFinal: false), .ping("longer"), .rest("b"), Frame(opcode: 2, payload: [1]),
            Frame(opcode: 1, payload: [0xFF]),
        ].bytes
        let setting = Setting(refusesBinary: true, hasClosed: true)
        #expect(read(late + Frame.close(1001).bytes, setting) == [.close(1001, "")])
        var machine = WebSocketMachine(role: .server)
        var output: [UInt8] = []
        var items: [Item] = []
        feed(Frame.text("begun", isFinal: false).bytes, to: &machine, items: &items)
        machine.writeClose(.goingAway, into: &output)
        feed([Frame.rest("x"), .rest("y")].bytes, to: &machine, items: &items)
        #expect(items == [.failure(1002)])
    }

    @Test("after our close: a ping that comes in pieces costs the frame behind it nothing")
    func pingInPiecesAfterClosing() {
        let bytes = [Frame.ping("longer"), .close(1001, Array("bye".utf8))].bytes
        for first in bytes.indices {
            for second in first..<bytes.endIndex {
                let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                #expect(read(pieces: pieces, Setting(hasClosed: true)) == [.close(1001, "bye")], "\(pieces)")
            }
        }
    }

    @Test("a code that may not be sent is not; a long reason is cut between characters")
    func ownClose() {
        #expect(
            output { _ = $0.writeClose(WebSocketCloseCode(rawValue: 1005), into: &$1) } == [0x88, 0x02, 0x03, 0xE8])
        let long = output { _ = $0.writeClose(.normal, reason: String(repeating: "é", count: 100), into: &$1) }
        #expect(long[1] == 124 && long.count == 126)
        #expect(
            read(long, Setting(role: .client)) == [.close(1000, String(repeating: "é", count: 61))])
    }

    @Test("server frames are unmasked and minimal", arguments: [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)])
    func serverFrames(count: Int, header: Int) {
        let payload = [UInt8](repeating: 0x61, count: count)
        let bytes = payload.withUnsafeBytes { payload in
            output { _ = $0.writeText(payload, into: &$1) }
        }
        #expect(bytes.count == header + count)
        #expect(bytes == Frame(opcode: 1, payload: payload, mask: nil).bytes)
    }

    @Test("client frames are masked, each by its own key")
    func clientFrames() {
        let payload = Array("the same text, long enough to show a repeated key".utf8)
        let written = (0..<8).map { _ in
            payload.withUnsafeBytes { payload in output(.client) { _ = $0.writeText(payload, into: &$1) } }
        }
        #expect(written.allSatisfy { $0[1] & 0x80 != 0 && $0.count == payload.count + 6 })
        #expect(Set(written.map { Array($0[2..<6]) }).count > 1)
    }

    @Test("control payloads are at most 125 bytes")
    func longPing() {
        let payload = [UInt8](repeating: 0x61, count: 200)
        let bytes = payload.withUnsafeBytes { payload in
            output { _ = $0.writePing(payload, into: &$1) }
        }
        #expect(bytes.count == 127)
    }

    @Test("what one role writes the other reads", arguments: [WebSocketRole.server, .client])
    func roundTrip(writer: WebSocketRole) {
        let texts = ["", "x", "κόσμε", String(repeating: "long ", count: 30), String(repeating: "é", count: 40_000)]
        var machine = WebSocketMachine(role: writer)
        var output: [UInt8] = []
        var expected: [Item] = []
        for text in texts {
            Array(text.utf8).withUnsafeBytes { bytes in
                machine.writeText(bytes, into: &output)
                machine.writeBinary(bytes, into: &output)
                machine.writePing(UnsafeRawBufferPointer(rebasing: bytes.prefix(4)), into: &output)
                machine.writePong(UnsafeRawBufferPointer(rebasing: bytes.prefix(2)), into: &output)
            }
            expected += [
                .text(text), .binary(Array(text.utf8)), .ping(String(decoding: text.utf8.prefix(4), as: UTF8.self)),
                .pong(String(decoding: text.utf8.prefix(2), as: UTF8.self)),
            ]
        }
        machine.writeClose(.normal, reason: "done", into: &output)
        expected.append(.close(1000, "done"))
        let reader = Setting(role: writer == .server ? .client : .server)
        #expect(read(pieces: [output], reader) == expected)
        #expect(read(pieces: output.map { [$0] }, reader) == expected)
        var random = SeededGenerator(seed: 7)
        #expect(read(pieces: randomCut(of: output, using: &random), reader) == expected)
    }

    @Test("seeded garbage and mutations give the same events however cut, and never a trap")
    func garbage() {
        let sample = [
            Frame.text("hello"), .text("frag", isFinal: false), .ping("ping"), .rest("ment é"),
            Frame(opcode: 2, payload: [UInt8](repeating: 0xAA, count: 130)), .close(1000, Array("bye".utf8)),
        ].bytes
        var random = SeededGenerator(seed: 2)
        for round in 0..<4_000 {
            let setting = Setting(
                role: round % 8 == 1 ? .client : .server, limits: WebSocketLimits(message: 200, emptyFragments: 2),
                refusesBinary: round % 3 == 0, hasClosed: round % 5 == 0)
            let bytes =
                round % 4 == 0
                ? (0..<Int.random(in: 0...60, using: &random)).map { _ in .random(in: .min ... .max, using: &random) }
                : mutated(sample, using: &random)
            let cut = randomCut(of: bytes, using: &random)
            #expect(read(pieces: [bytes], setting) == read(pieces: cut, setting), "seed 2, round \(round)")
        }
    }
}

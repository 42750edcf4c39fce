import BridgeDevTools
import Testing

@Suite struct FramerTests {
    /// What comes out of a stream that arrives in these pieces, and whether it broke.
    private static func messages(_ pieces: [[UInt8]], limit: Int = 100) -> (messages: [[UInt8]], isBroken: Bool) {
        var framer = MessageFramer(limit: limit)
        var messages: [[UInt8]] = []
        for piece in pieces {
            do {
                try piece.withUnsafeBytes { try framer.take($0, into: &messages) }
            } catch {
                return (messages, true)
            }
        }
        return (messages, false)
    }

    private static func bytes(_ texts: String...) -> [UInt8] { texts.flatMap { Array($0.utf8) + [0] } }

    @Test func severalMessagesAtOnce() {
        let (messages, isBroken) = Self.messages([Self.bytes("{}", "", "[1,2]")])
        #expect(messages == [Array("{}".utf8), [], Array("[1,2]".utf8)])
        #expect(!isBroken)
    }

    @Test func everySplitInThree() {
        let stream = Self.bytes("{\"a\":1}", "{}", "é")
        let whole = Self.messages([stream]).messages
        #expect(whole.count == 3)
        for first in 0...stream.count {
            for second in first...stream.count {
                let pieces = [Array(stream[..<first]), Array(stream[first..<second]), Array(stream[second...])]
                #expect(Self.messages(pieces).messages == whole)
            }
        }
    }

    @Test func byteByByte() {
        let stream = Self.bytes("{\"a\":1}", "{}", "é")
        #expect(Self.messages(stream.map { [$0] }).messages == Self.messages([stream]).messages)
    }

    @Test func whatIsNotWholeIsNotTold() {
        #expect(Self.messages([Self.bytes("{}") + [0x7b]]).messages == [Array("{}".utf8)])
        #expect(Self.messages([[]]).messages.isEmpty)
    }

    /// However it comes, and with what came ahead of it.
    @Test func aMessageIsNoLongerThanTheLimit() {
        let (fits, tooLong) = (Self.bytes("{}", "12345678"), Self.bytes("{}", "123456789"))
        for cut in 0...fits.count {
            let (messages, isBroken) = Self.messages([Array(fits[..<cut]), Array(fits[cut...])], limit: 8)
            #expect(messages.count == 2 && !isBroken)
        }
        for cut in 0...tooLong.count {
            let (messages, isBroken) = Self.messages([Array(tooLong[..<cut]), Array(tooLong[cut...])], limit: 8)
            #expect(messages == [Array("{}".utf8)] && isBroken)
        }
        // Nor when its end does not come.
        #expect(Self.messages([[UInt8](repeating: 1, count: 9)], limit: 8).isBroken)
    }
}

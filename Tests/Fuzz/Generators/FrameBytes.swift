/// WebSocket frames, one after another, masked or not, with each fault that RFC 6455 names.
enum FrameBytes {
    static let tokens: [[UInt8]] = [
        [0x81], [0x01], [0x80], [0x00], [0x82], [0x88], [0x89], [0x8A], [0x88, 0x80, 0, 0, 0, 0], [0x8F], [0xC1],
        [0x83],
        [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8], [0xFE], [0xFF], [0x7E, 0x00, 0x7D], [0xFE, 0xFF, 0xFF],
        [0xFF, 0, 0, 0, 0, 0, 1, 0, 0], [0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0],
        [0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0x98, 0x80], [0xCE, 0xBA], [0xC0, 0x80],
    ]

    /// The first byte chooses role and manner of the reader; see the target.
    static func make(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes = [random.byte()]
        let isMasked = bytes[0] & 1 == 0
        for _ in 0...random.below(5) { message(&random, isMasked: isMasked, &bytes) }
        if random.once(in: 2) { random.mutate(&bytes, tokens: tokens) }
        return bytes
    }

    /// Messages in frames from a client.
    static func masked(_ messages: [UInt8], _ random: inout FuzzRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in messages.split(separator: UInt8(ascii: "\n")) {
            if random.once(in: 4) { message(&random, isMasked: true, &bytes) }
            frame(0x81, Array(line), isMasked: true, &random, &bytes)
        }
        if random.once(in: 3) { random.mutate(&bytes, tokens: tokens) }
        return bytes
    }

    private static func message(_ random: inout FuzzRandom, isMasked: Bool, _ bytes: inout [UInt8]) {
        let opcode: UInt8 = random.pick([1, 1, 1, 1, 2, 8, 9, 10, 0, 3])
        var rest = payload(&random, opcode: opcode)[...]
        guard opcode < 3, random.once(in: 2) else {
            return frame(0x80 | opcode, Array(rest), isMasked: isMasked, &random, &bytes)
        }
        var isFirst = true
        repeat {
            let part = rest.prefix(random.below(rest.count + 1))
            rest = rest.dropFirst(part.count)
            let isLast = rest.isEmpty && random.below(3) > 0
            frame((isLast ? 0x80 : 0) | (isFirst ? opcode : 0), Array(part), isMasked: isMasked, &random, &bytes)
            isFirst = false
            if random.once(in: 4) { frame(0x89, [1, 2, 3], isMasked: isMasked, &random, &bytes) }
            if isLast { return }
        } while random.below(8) > 0
    }

    private static func payload(_ random: inout FuzzRandom, opcode: UInt8) -> [UInt8] {
        switch opcode {
        case 1: return random.once(in: 3) ? random.noise(upTo: 12) : Array(random.pick(texts).utf8)
        case 8:
            let code = random.pick([1000, 1001, 1004, 1005, 1006, 1011, 1015, 2999, 3000, 4999, 5000, 0, 65_535])
            let bytes = [UInt8(code >> 8), UInt8(code & 255)] + Array(random.pick(texts).utf8)
            return random.once(in: 3) ? Array(bytes.prefix(random.below(3))) : bytes
        case 9, 10: return [UInt8](repeating: 7, count: random.pick([0, 3, 125, 126]))
        default:
            let size = random.pick([0, 1, 7, 8, 9, 125, 126, 127, 200, 256, 257])
            return (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        }
    }

    private static let texts = [
        "", "a", "hello, world", "κόσμε", "\u{1F600}\u{1F600}", "0123456789abcdef\u{10FFFF}",
        String(repeating: "é", count: 70), "{\"eventName\":\"echo\",\"requestId\":1}",
    ]

    private static func frame(
        _ first: UInt8, _ payload: [UInt8], isMasked: Bool, _ random: inout FuzzRandom, _ bytes: inout [UInt8]
    ) {
        bytes.append(random.once(in: 40) ? first ^ 0x40 : first)
        let bit: UInt8 = isMasked != random.once(in: 60) ? 0x80 : 0
        if payload.count < 126, random.below(50) > 0 {
            bytes.append(bit | UInt8(payload.count))
        } else if payload.count < 65_536, random.below(50) > 0 {
            bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        } else {
            bytes += [bit | 127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 255) }
        }
        guard bit != 0 else { return bytes.append(contentsOf: payload) }
        let mask = (0..<4).map { _ in random.once(in: 3) ? 0 : random.byte() }
        bytes += mask
        bytes += payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }
}

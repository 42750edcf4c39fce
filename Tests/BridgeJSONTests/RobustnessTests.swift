import BridgeJSON
import Foundation
import Testing

/// A small generator, so that failures can be had again from the seed (xorshift64*).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 2_685_821_657_736_338_717
    }
}

struct RobustnessTests {
    /// Whatever comes in, the parser returns or throws; what it takes it writes back as the same value.
    private func check(_ bytes: [UInt8]) throws {
        for dialect in [JSON.Dialect.strict, .annotated] {
            do throws(JSONError) {
                let json = try JSON(parsing: bytes, dialect: dialect)
                let written = Array(json.text.utf8)
                #expect(written.allSatisfy { $0 >= 0x20 })
                #expect((try? JSON(parsing: written)) == json)
            } catch {
                #expect((0...bytes.count).contains(error.offset) && error.line >= 1 && error.column >= 1)
            }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func garbage(seed: UInt64) throws {
        var random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15)
        let alphabet =
            Array(#"{}[]:,"\"\u0dDabeEtrfnl+-.019/* "#.utf8) + [
                0x00, 0x0A, 0x80, 0xC3, 0xA9, 0xED, 0xA0, 0xF0, 0x9F, 0xFF,
            ]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<40, using: &random)
            let isAnyByte = Bool.random(using: &random)
            try check(
                (0..<count).map { _ in
                    isAnyByte
                        ? UInt8.random(in: .min ... .max, using: &random)
                        : alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                })
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15)
        let text = Array(
            #"{"eventName":"echo","requestId":"r1","é":[1,-2.5e+3,true,null,"x\n\ud83d\ude00\ud800 long enough for words"],"b":{"c":false}}"#
                .utf8)
        for _ in 0..<2_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: position)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: position)
                }
            }
            try check(bytes)
        }
    }

    /// All that is done to a value of the highest nesting fits the stack of a Dispatch worker on Darwin.
    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("{\"a\":[", "]}")])
    func deepestNestingFitsASmallStack(open: String, close: String) async throws {
        let depth = JSON.highestMaximumDepth / (open.hasSuffix("[") && open != "[" ? 2 : 1)
        let text = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        let isFine = await onSmallStack {
            guard let left = try? JSON(parsing: Array(text.utf8), maximumDepth: JSON.highestMaximumDepth) else {
                return false
            }
            guard let right = try? JSON(parsing: Array(text.utf8), maximumDepth: JSON.highestMaximumDepth) else {
                return false
            }
            return left == right && left.hashValue == right.hashValue && left.text == text
        }
        #expect(isFine)
    }

    private struct Node: Codable { var children: [Node]? }

    @Test func recursiveTypesFitASmallStack() async {
        for levels in [60, 400] {
            let outcome = await onSmallStack { () -> [String] in
                var json: JSON = [:]
                for _ in 0..<levels { json = ["children": [json]] }
                var node: Node? = Node()
                for _ in 0..<levels { node = Node(children: [node ?? Node()]) }
                let decoded = Result { try JSON.decode(Node.self, from: json) }.map { _ in "fine" }
                let encoded = Result { try JSON.encode(node) }.map { _ in "fine" }
                node = nil
                return [decoded, encoded].map { (try? $0.get()) ?? "refused" }
            }
            #expect(outcome == (levels == 60 ? ["fine", "fine"] : ["refused", "refused"]))
        }
    }

    private func onSmallStack<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}

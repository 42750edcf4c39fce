import Bridgehead
import Synchronization
import Testing

@Suite("What is held back of too many log lines")
struct LogGateTests {
    @Test("A thousand pass at once; what is missing is told before the first line after a second's rest")
    func burst() {
        let gate = LogGate()
        let start = ContinuousClock.now
        let told = Mutex<[String]>([])
        func passes(after seconds: Double) -> Bool {
            gate.passes(at: start + .seconds(seconds)) { line in told.withLock { $0.append(line) } }
        }
        #expect((0..<1_000).allSatisfy { _ in passes(after: 0) })
        #expect(!(0..<499).contains { _ in passes(after: 0) })
        #expect(!passes(after: 0.5))
        #expect(told.withLock { $0 }.isEmpty)
        #expect(passes(after: 1))
        #expect(told.withLock { $0 } == ["500 lines were left out: there were too many at once"])
        // Then again as many as there was time for.
        #expect((0..<1_000).count { _ in passes(after: 1) } == 49)
        #expect((0..<2_000).count { _ in passes(after: 1_000) } == 1_000)
    }

    @Test("A gate that is open holds nothing back")
    func open() {
        let gate = LogGate(isOpen: true)
        #expect((0..<5_000).allSatisfy { _ in gate.passes { _ in } })
    }

    @Test("A character as long as a message is cut too")
    func cut() {
        let text = "e" + String(repeating: "\u{301}", count: 5_000)
        #expect(LogLine.cut(text, 100).unicodeScalars.count == 101)
        #expect(LogLine.cut("short", 5) == "short")
        #expect(LogLine.cut("longer", 5) == "longe…")
        #expect(
            LogLine.json(time: "", level: .info, message: "\u{9B}\u{202E}\u{7F}", fields: []).contains(
                #"\u009b\u202e\u007f"#))
    }
}

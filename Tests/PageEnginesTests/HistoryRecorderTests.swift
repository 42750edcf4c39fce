import Foundation
import PageEngines
import PageModel
import Testing

@Suite struct HistoryRecorderTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID()).ndjson").path

    private func change(_ number: Int) -> WebPageURLChange {
        WebPageURLChange(
            url: local("/\(number)"), cause: .push, isCommitted: true, index: number, sequence: UInt64(number))
    }

    private func remove() { try? FileManager.default.removeItem(atPath: path) }

    @Test func whatWasRecordedIsRead() async throws {
        defer { remove() }
        let recorder = try HistoryRecorder(path: path)
        for number in 1...3 { try await recorder.record(change(number)) }
        #expect(try HistoryRecorder.changes(in: path) == (1...3).map(change))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func theNextRecorderGoesOn() async throws {
        defer { remove() }
        let first = try HistoryRecorder(path: path)
        try await first.record(change(1))
        #expect(throws: HistoryRecorderError.isInUse(path)) { try HistoryRecorder(path: path) }
        await first.close()
        await #expect(throws: HistoryRecorderError.isClosed(path)) { try await first.record(change(2)) }
        let second = try HistoryRecorder(path: path)
        try await second.record(change(2))
        #expect(try HistoryRecorder.changes(in: path) == [change(1), change(2)])
    }

    /// A kill can tear the last line anywhere.
    @Test func aTornLineIsCutOff() async throws {
        defer { remove() }
        let recorder = try HistoryRecorder(path: path)
        for number in 1...2 { try await recorder.record(change(number)) }
        await recorder.close()
        let whole = try Data(contentsOf: URL(filePath: path))
        let firstLine = try #require(whole.firstIndex(of: 0x0A)) + 1
        for length in firstLine..<whole.count {
            try whole.prefix(length).write(to: URL(filePath: path))
            #expect(try HistoryRecorder.changes(in: path) == [change(1)])
            let next = try HistoryRecorder(path: path)
            try await next.record(change(3))
            await next.close()
            #expect(try HistoryRecorder.changes(in: path) == [change(1), change(3)], "torn after \(length) bytes")
        }
    }

    @Test func anotherKindOfFileIsLeftAsItIs() throws {
        defer { remove() }
        let text = "a letter\nto somebody"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(throws: HistoryRecorderError.self) { try HistoryRecorder(path: path) }
        #expect(throws: HistoryRecorderError.self) { try HistoryRecorder.changes(in: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    /// Also one that begins as a history does, or has no line's end: not a byte of it is cut.
    @Test(arguments: [
        #"{"name": "settings"}"#, #"{"url": "http://h/", "b": 1}"#, #"{"url":"http://h/"}"#, "{", "{\n  \"a\": 1\n}",
        "{\"a\":1}\n{\"b\"", "[",
    ]) func anotherKindOfJSONIsLeftAsItIs(_ text: String) throws {
        defer { remove() }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        if text != "{" {
            #expect(throws: HistoryRecorderError.self) { try HistoryRecorder(path: path) }
            #expect(throws: HistoryRecorderError.self) { try HistoryRecorder.changes(in: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        } else {
            // What a kill may have left as well.
            _ = try HistoryRecorder(path: path)
        }
    }

    /// Lines are longer than what is read at once.
    @Test func aLongTornLineIsCutOff() async throws {
        defer { remove() }
        var long = change(1)
        long.url = local("/" + String(repeating: "x", count: 300_000))
        let recorder = try HistoryRecorder(path: path)
        for _ in 1...2 { try await recorder.record(long) }
        await recorder.close()
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in [whole.count - 1, whole.count - 100_000, whole.count / 2 + 1, whole.count / 2 - 1] {
            try whole.prefix(count).write(to: URL(filePath: path))
            _ = try HistoryRecorder(path: path)
            #expect(try HistoryRecorder.changes(in: path).count == (count > whole.count / 2 ? 1 : 0))
        }
    }

    /// A pipe, of whose other end nobody is there, is not waited for; nor is a device read that has no end.
    @Test(.timeLimit(.minutes(1))) func whatIsNoFileIsRefused() throws {
        defer { remove() }
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, "/dev/zero", "/dev/null", FileManager.default.temporaryDirectory.path] {
            #expect(throws: HistoryRecorderError.self) { try HistoryRecorder(path: path) }
            #expect(throws: HistoryRecorderError.self) { try HistoryRecorder.changes(in: path) }
        }
    }

    @Test func whereNoFileCanBeItIsSaid() throws {
        let error = #expect(throws: HistoryRecorderError.self) { try HistoryRecorder(path: "/nowhere/history") }
        #expect("\(try #require(error))" == "/nowhere/history cannot be opened: No such file or directory")
    }

    #if compiler(>=6.2)
        /// Twenty processes, each killed while it records: what each had been told to be in the file is there, once, in order.
        @Test func nothingThatWasAcknowledgedIsLostToAKill() async throws {
            defer { remove() }
            for round in 1...20 {
                let acknowledged = path + ".\(round)"
                defer { try? FileManager.default.removeItem(atPath: acknowledged) }
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, acknowledged = acknowledged as String, round = round as Int] in
                    let recorder = try HistoryRecorder(path: path)
                    // Lines of another length each round, so that the kill comes elsewhere.
                    let tail = String(repeating: "x", count: round * 97)
                    Thread.detachNewThread {
                        // Once there is something to lose, at a moment that the recorder does not choose.
                        while ((try? FileManager.default.attributesOfItem(atPath: acknowledged)[.size]) as? Int ?? 0)
                            < round * 40
                        {}
                        kill(getpid(), SIGKILL)
                    }
                    let log = open(acknowledged, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                    for number in 1...Int.max {
                        try await recorder.record(
                            WebPageURLChange(
                                url: local("/\(round)/\(number)?\(tail)"), cause: .push, isCommitted: true,
                                index: number, sequence: UInt64(number)))
                        let line = Array("\(number)\n".utf8)
                        _ = line.withUnsafeBytes { write(log, $0.baseAddress, $0.count) }
                    }
                }
                let lines = try String(contentsOfFile: acknowledged, encoding: .utf8).split(separator: "\n")
                let last = try #require(lines.last.flatMap { Int($0) })
                let recorded = try HistoryRecorder.changes(in: path)
                    .filter { $0.url.path().hasPrefix("/\(round)/") }.map(\.sequence)
                #expect(recorded.count >= last)
                #expect(recorded == Array(1...UInt64(recorded.count)))
            }
        }
    #endif
}

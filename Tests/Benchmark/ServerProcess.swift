import Foundation

/// A server under load, in a process of its own.
final class ServerProcess {
    let port: UInt16
    let linesPort: UInt16?
    /// From exec to the line that says it listens.
    let startTime: Duration
    private let process = Process()

    init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let began = ContinuousClock.now
        try process.run()
        var text = ""
        var found: UInt16?
        while found == nil {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw BenchmarkError.serverDidNotStart(executable) }
            text += String(decoding: data, as: UTF8.self)
            found = text.firstMatch(of: /Listening on port (\d+)\n/).flatMap { UInt16($0.1) }
        }
        startTime = ContinuousClock.now - began
        port = found ?? 0
        linesPort = text.firstMatch(of: /Lines on port (\d+)\n/).flatMap { UInt16($0.1) }
    }

    /// Processor time of all its threads so far, in microseconds (`/proc/PID/task/*/schedstat`).
    var processorTime: Double {
        let tasks = "/proc/\(process.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(0) { total, thread in
            let text = (try? String(contentsOfFile: "\(tasks)/\(thread)/schedstat", encoding: .utf8)) ?? ""
            return total + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1000
        }
    }

    /// Resident memory in KiB.
    var residentMemory: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        return text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Double($0.1) } ?? 0
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

enum BenchmarkError: Error {
    case serverDidNotStart(String)
}

import Dispatch
import Foundation
import Synchronization

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A server under measurement, a process of its own on loopback.
final class ServerProcess: Sendable {
    /// Where it is at one moment.
    struct Figures {
        /// Nanoseconds of the system's uptime.
        var time: UInt64
        /// User and system.
        var cpuSeconds: Double
        var residentBytes: Int
    }

    let port: UInt16
    let linesPort: UInt16
    /// From exec to the line that says it listens.
    let startSeconds: Double
    private let process: Mutex<Process>
    private let identifier: Int32

    /// Starts it and waits, at most ten seconds, until it listens.
    init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        // The Node server ends with it.
        process.standardInput = Pipe()
        let start = DispatchTime.now().uptimeNanoseconds
        try process.run()
        identifier = process.processIdentifier
        Children.add(identifier)
        do {
            var ports: [String: UInt16] = [:]
            try Self.lines(of: output.fileHandleForReading, seconds: 10) { line in
                if let match = line.wholeMatch(of: /(Listening|Lines) on port (\d+)/), let port = UInt16(match.2) {
                    ports[String(match.1)] = port
                }
                return ports["Listening"] == nil
            }
            startSeconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            port = ports["Listening"] ?? 0
            linesPort = ports["Lines"] ?? 0
        } catch {
            kill(identifier, SIGKILL)
            process.waitUntilExit()
            Children.remove(identifier)
            throw BenchmarkError("\(executable.path): \(error)")
        }
        self.process = Mutex(process)
    }

    func stop() {
        kill(identifier, SIGKILL)
        process.withLock { $0.waitUntilExit() }
        Children.remove(identifier)
    }

    func figures(at moment: UInt64 = 0) async throws -> Figures {
        let now = DispatchTime.now().uptimeNanoseconds
        if moment > now { try await Task.sleep(nanoseconds: moment - now) }
        // proc_pid_stat(5): what follows the name, which is in parentheses, begins with field 3.
        let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
            .map { Int($0) ?? 0 }
        guard fields.count > 21 else { throw BenchmarkError("/proc/PID/stat is not as expected") }
        return Figures(
            time: DispatchTime.now().uptimeNanoseconds,
            cpuSeconds: Double(fields[11] + fields[12]) / Double(sysconf(Int32(_SC_CLK_TCK))),
            residentBytes: fields[21] * sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func lines(
        of handle: FileHandle, seconds: Double, while wantsMore: (String) -> Bool
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var rest = ""
        while true {
            var entry = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            guard left > 0, poll(&entry, 1, Int32(left * 1000) + 1) >= 0 else {
                throw BenchmarkError("not ready in time")
            }
            guard entry.revents != 0 else { continue }
            let data = handle.availableData
            guard !data.isEmpty else { throw BenchmarkError("it ended") }
            rest += String(decoding: data, as: UTF8.self)
            while let end = rest.firstIndex(of: "\n") {
                let line = String(rest[..<end])
                rest.removeSubrange(...end)
                guard wantsMore(line) else { return }
            }
        }
    }
}

/// The processes that run now; an interrupted benchmark takes them along.
enum Children {
    private static let running = Mutex<Set<Int32>>([])

    static func add(_ identifier: Int32) { running.withLock { _ = $0.insert(identifier) } }
    static func remove(_ identifier: Int32) { running.withLock { _ = $0.remove(identifier) } }

    /// Ends them and this process when a signal asks for it. Keep what it returns.
    static func endWithSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                running.withLock { for child in $0 { kill(child, SIGKILL) } }
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }
}

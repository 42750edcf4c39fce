import Foundation
import Synchronization

/// What the steady server held over the time, and what this process holds: back to the start is what is wanted.
final class Measurement: Sendable {
    /// The growth that is allowed after the warm-up, in KiB.
    static let growthLimit = 5 << 10
    /// In seconds.
    static let warmUp = 10.0
    /// Memory is the mean of so many seconds of samples: readers that stall make it rise and fall.
    private static let window = 4.0

    private let server: ServerProcess
    private let before: Descriptors
    /// Resident memory in KiB, by seconds since the beginning.
    private let samples = Mutex<[(time: Double, resident: Int)]>([])
    private let isOver = Atomic(false)
    private let sampled = DispatchSemaphore(value: 0)

    struct Descriptors: Sendable {
        var server: Int
        var load: Int
    }

    /// Begins to watch.
    init(_ server: ServerProcess) {
        self.server = server
        // Connections that this side has closed are closed over there once the server comes to it.
        var fewest = Self.descriptors(server)
        for _ in 0..<20 {
            Thread.sleep(forTimeInterval: 0.05)
            fewest.server = min(fewest.server, Self.descriptors(server).server)
        }
        before = fewest
        let start = ContinuousClock.now
        Thread { [self] in
            while !isOver.load(ordering: .relaxed) {
                if let resident = server.figures?.resident {
                    samples.withLock { $0.append(((ContinuousClock.now - start) / .seconds(1), resident)) }
                }
                Thread.sleep(forTimeInterval: 0.25)
            }
            sampled.signal()
        }.start()
    }

    /// The load is over and has left nothing behind; two servers run, as at the beginning.
    func finish() -> Result {
        isOver.store(true, ordering: .relaxed)
        sampled.wait()
        var after = Self.descriptors(server)
        for _ in 0..<300 where after.server > before.server {
            Thread.sleep(forTimeInterval: 0.05)
            after = Self.descriptors(server)
        }
        let samples = samples.withLock { $0 }
        func mean(from start: Double) -> Int? {
            let values = samples.filter { (start...start + Self.window).contains($0.time) }.map(\.resident)
            return values.isEmpty ? nil : values.reduce(0, +) / values.count
        }
        var memory: Result.Memory?
        if let last = samples.last?.time, last > Self.warmUp + 2 * Self.window, let warm = mean(from: Self.warmUp),
            let end = mean(from: last - Self.window)
        {
            memory = Result.Memory(warm: warm, end: end, most: samples.map(\.resident).max() ?? 0)
        }
        return Result(isTold: !samples.isEmpty, before: before, after: after, memory: memory)
    }

    private static func descriptors(_ server: ServerProcess) -> Descriptors {
        Descriptors(
            server: server.figures?.descriptors ?? 0, load: Figures(process: "self")?.descriptors ?? 0)
    }

    struct Result: Sendable {
        /// In KiB.
        struct Memory: Sendable {
            var warm: Int
            var end: Int
            var most: Int
        }

        let isTold: Bool
        let before: Descriptors
        let after: Descriptors
        /// nil when it was too short to say.
        let memory: Memory?

        var faults: [String] {
            var faults: [String] = []
            if let memory, memory.end - memory.warm > Measurement.growthLimit {
                faults.append("memory grew by \(memory.end - memory.warm) KiB after \(Measurement.warmUp) s")
            }
            if after.server > before.server {
                faults.append("the server has \(after.server) descriptors, \(before.server) before")
            }
            if after.load > before.load {
                faults.append("the load has \(after.load) descriptors, \(before.load) before")
            }
            return faults
        }

        var table: String {
            guard isTold else { return "memory and descriptors: not measured on this system" }
            func mebibytes(_ value: Int) -> String { String(format: "%.1f", Double(value) / 1024) }
            let told =
                memory.map { memory in
                    "\(mebibytes(memory.warm)) MiB after \(Int(Measurement.warmUp)) s, \(mebibytes(memory.end)) at the end"
                        + " (growth \(mebibytes(memory.end - memory.warm)), at most \(Measurement.growthLimit >> 10)),"
                        + " \(mebibytes(memory.most)) at most"
                } ?? "too short to say"
            return """
                server memory   \(told)
                descriptors     server \(before.server) → \(after.server), load \(before.load) → \(after.load)
                """
        }
    }
}

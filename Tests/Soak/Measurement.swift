import Foundation

/// What the steady server held over the time, and what this process holds: back to the start is what is wanted.
struct Measurement: Sendable {
    /// The growth that is allowed after the warm-up, in KiB.
    static let growthLimit = 5 << 10
    /// In seconds.
    static let warmUp = 10.0

    /// The steady server's, with the time of each, in seconds.
    private(set) var samples: [(time: Double, figures: Figures)] = []
    var descriptorsBefore = 0
    var descriptorsAfter = 0
    var ownDescriptorsBefore = 0
    var ownDescriptorsAfter = 0

    var isTold: Bool { !samples.isEmpty }

    mutating func add(_ figures: Figures?, at time: Double) {
        if let figures { samples.append((time, figures)) }
    }

    /// Resident memory in KiB: around the end of the warm-up, and at the end, each the mean of some seconds under load.
    /// nil when it was too short to say.
    var memory: (warm: Int, end: Int)? {
        guard let last = samples.last?.time, last > Self.warmUp + 5 else { return nil }
        return (mean(Self.warmUp - 2...Self.warmUp + 2), mean(last - 4...last))
    }

    private func mean(_ range: ClosedRange<Double>) -> Int {
        let values = samples.filter { range.contains($0.time) }.map(\.figures.resident)
        return values.isEmpty ? 0 : values.reduce(0, +) / values.count
    }

    var faults: [String] {
        guard isTold else { return [] }
        var faults: [String] = []
        if let memory, memory.end - memory.warm > Self.growthLimit {
            faults.append("memory grew by \(memory.end - memory.warm) KiB after the first \(Int(Self.warmUp)) s")
        }
        if descriptorsAfter > descriptorsBefore {
            faults.append("the server has \(descriptorsAfter) descriptors, \(descriptorsBefore) before")
        }
        if ownDescriptorsAfter > ownDescriptorsBefore {
            faults.append("the load has \(ownDescriptorsAfter) descriptors, \(ownDescriptorsBefore) before")
        }
        return faults
    }

    var table: String {
        guard isTold else { return "memory and descriptors: not measured on this system" }
        let memory =
            memory.map { memory in
                String(
                    format: "%.1f MiB after %.0f s, %.1f MiB at the end, growth %.1f MiB (at most %d)",
                    Double(memory.warm) / 1024, Self.warmUp, Double(memory.end) / 1024,
                    Double(memory.end - memory.warm) / 1024, Self.growthLimit >> 10)
            } ?? "too short to say (\((samples.last?.figures.resident ?? 0) >> 10) MiB)"
        return """
            server memory   \(memory)
            descriptors     server \(descriptorsBefore) → \(descriptorsAfter), load \(ownDescriptorsBefore) → \(ownDescriptorsAfter)
            """
    }
}

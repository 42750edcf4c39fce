/// What a server holds while nobody is connected to it.
package struct Rest: Sendable {
    package var sessions = 0
    /// Handlers that run, calls to pages without an answer, pages.
    package var handlers = 0
    package var calls = 0
    package var pages = 0
    package var descriptors = 0
    /// Allocated memory, and what is resident when all that is free was given back, in KiB; nil where it is not told.
    package var heap: Int?
    package var resident: Int?

    package init() {}

    var isQuiet: Bool { sessions == 0 && handlers == 0 && calls == 0 && pages == 0 }
}

/// Whether the steady server's rests are all like the first one: the load began there, and comes to rest every
/// ``Measurement/phase`` or so.
package struct Measurement: Sendable {
    /// In seconds. The first is the warm-up.
    package static let phase = 10.0
    /// How much may be more than after the warm-up, in KiB. Resident memory has pages that are used only in part; what is
    /// allocated has tables that have found their size only after some phases.
    package static let residentLimit = 5 << 10
    package static let heapLimit = 512

    let before: Rest
    let loadBefore: Int
    private var rests: [Rest] = []

    /// - Parameter load: the descriptors of the load itself.
    package init(before: Rest, load: Int) { (self.before, loadBefore) = (before, load) }

    package mutating func add(_ rest: Rest) { rests.append(rest) }

    /// Since the warm-up, the end of the first phase; nil when there is no other.
    private func growth(of memory: KeyPath<Rest, Int?>) -> Int? {
        guard rests.count > 1, let warm = rests.first?[keyPath: memory], let end = rests.last?[keyPath: memory] else {
            return nil
        }
        return end - warm
    }

    package func faults(load: Int) -> [String] {
        var faults: [String] = []
        for (index, rest) in rests.enumerated() where !rest.isQuiet {
            faults.append(
                "after phase \(index + 1) the server has \(rest.sessions) sessions, \(rest.handlers) handlers,"
                    + " \(rest.calls) calls and \(rest.pages) pages left, and nobody is connected")
        }
        let limits = [("resident", \Rest.resident, Self.residentLimit), ("allocated", \.heap, Self.heapLimit)]
        for (name, memory, limit) in limits {
            if let growth = growth(of: memory), growth > limit {
                faults.append("\(name) memory grew by \(growth) KiB since the first phase, at most \(limit)")
            }
        }
        if let last = rests.last, last.descriptors > before.descriptors {
            faults.append("the server has \(last.descriptors) descriptors, \(before.descriptors) before")
        }
        if load > loadBefore { faults.append("the load has \(load) descriptors, \(loadBefore) before") }
        return faults
    }

    /// - Parameter most: how much of the server's memory was ever resident, in KiB.
    package func table(load: Int, most: Int) -> String {
        func told(_ memory: KeyPath<Rest, Int?>) -> String {
            let values = rests.compactMap { $0[keyPath: memory] }
            guard !values.isEmpty else { return "not told on this system" }
            let phases = values.map { mebibytes($0) }.joined(separator: " ")
            return phases
                + (growth(of: memory).map { " MiB (growth \(mebibytes($0)))" } ?? " MiB (too short to say more)")
        }
        return """
            resident        \(told(\.resident)) at rest, \(mebibytes(most)) at most
            allocated       \(told(\.heap)) at rest
            descriptors     server \(before.descriptors) → \(rests.last?.descriptors ?? 0), load \(loadBefore) → \(load)
            """
    }

    private func mebibytes(_ value: Int) -> String {
        let tenths = (abs(value) * 10 + 512) / 1024
        return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }
}

import Foundation

/// What a process holds, told by /proc: on Linux alone.
struct Figures: Sendable {
    /// Resident memory and the most that there ever was of it, in KiB.
    var resident = 0
    var most = 0
    var descriptors = 0

    /// - Parameter process: its number, or `self`.
    init?(process: String) {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        else { return nil }
        for line in status.split(separator: "\n") {
            let parts = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            guard parts.count >= 2, let value = Int(parts[1]) else { continue }
            if parts[0] == "VmRSS" { resident = value }
            if parts[0] == "VmHWM" { most = value }
        }
        // The one that the folder was read with is not counted for another process.
        descriptors = open.count - (process == "self" ? 1 : 0)
    }
}

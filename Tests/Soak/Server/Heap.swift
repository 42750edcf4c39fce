import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// This process's memory as its allocator sees it. Only glibc tells, by functions that Swift does not import.
enum Heap {
    /// Gives back to the system what is free, so that what is resident is in use.
    static func trim() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let trim: Trim = function("malloc_trim") else { return }
        _ = trim(0)
    }

    /// Bytes that are allocated, in all arenas; nil where nobody tells.
    static var inUse: Int? {
        #if canImport(Darwin)
            return nil
        #else
            typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32
            guard let info: Info = function("malloc_info") else { return nil }
            var text: UnsafeMutablePointer<CChar>?
            var count = 0
            let stream = open_memstream(&text, &count)
            _ = info(0, stream)
            fclose(stream)
            defer { free(text) }
            return text.flatMap { sum(String(cString: $0)) }
        #endif
    }

    /// - Parameter report: of malloc_info(3); behind the heaps there are the sums of all.
    private static func sum(_ report: String) -> Int? {
        guard let end = report.range(of: "</heap>", options: .backwards)?.upperBound else { return nil }
        var sizes: [String: Int] = [:]
        for element in report[end...].split(separator: "<") {
            let words = element.split { " =\"/>\n".contains($0) }
            guard words.count > 4, words[1] == "type", let size = words.firstIndex(of: "size"), size + 1 < words.count
            else { continue }
            sizes["\(words[0]) \(words[2])"] = Int(words[size + 1])
        }
        guard let system = sizes["system current"], let fast = sizes["total fast"], let rest = sizes["total rest"],
            let mapped = sizes["total mmap"]
        else { return nil }
        return system + mapped - fast - rest
    }

    private static func function<F>(_ name: String) -> F? {
        #if canImport(Darwin)
            nil
        #else
            dlsym(nil, name).map { unsafeBitCast($0, to: F.self) }
        #endif
    }
}

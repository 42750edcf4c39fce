/// A known name that resembles an unknown one.
package struct NearName: Sendable, Hashable {
    package var name: String
    /// What tells the two apart, for people: "differs in upper and lower case".
    package var difference: String
}

/// Up to three of `known` that `name` may have been meant to be, the nearest first; none if nothing resembles it.
package func nearestNames(to name: String, in known: [String]) -> [NearName] {
    KnownNames(known).nearest(to: name)
}

/// Names that are there, prepared for being compared with one that is not.
///
/// Names that differ in case, in surrounding space, in separators or in Unicode normalisation only come first, then
/// those within a third of their length by edit distance.
package struct KnownNames: Sendable {
    /// Only so much of a name is compared, and in so many steps: a peer chooses the name, and there may be thousands that
    /// it resembles.
    private static let longest = 256
    private static let steps = 1 << 18

    private struct Known: Sendable {
        let name: String
        let lowercased: String
        let folded: String
        let scalars: [Unicode.Scalar]

        init?(_ name: String) {
            guard name.utf8.count <= KnownNames.longest else { return nil }
            self.name = name
            lowercased = name.lowercased()
            folded = String(lowercased.filter { $0.isLetter || $0.isNumber })
            scalars = Array(name.unicodeScalars)
        }
    }

    private let known: [Known]
    /// Places in `known`. Strings are compared by canonical equivalence, as is wanted here: but not each with each.
    private let byLowercased: [String: [Int]]
    private let byFolded: [String: [Int]]

    package init(_ names: [String]) {
        let known = names.compactMap(Known.init)
        self.known = known
        byLowercased = Dictionary(grouping: known.indices) { known[$0].lowercased }
        byFolded = Dictionary(grouping: known.indices) { known[$0].folded }
    }

    /// Up to three, the nearest first.
    package func nearest(to name: String) -> [NearName] {
        guard let wanted = Known(name) else { return [] }
        var found: [(distance: Int, name: NearName)] = []
        let sameLetters = byLowercased[wanted.lowercased] ?? []
        for candidate in sameLetters.map({ known[$0].name }) {
            let what = candidate == name ? "Unicode normalisation" : "upper and lower case"
            found.append((0, NearName(name: candidate, difference: "differs in \(what) only")))
        }
        let folded = wanted.folded.isEmpty ? [] : byFolded[wanted.folded] ?? []
        for index in folded where !sameLetters.contains(index) {
            found.append((0, NearName(name: known[index].name, difference: "differs in spaces or punctuation only")))
        }
        let taken = Set(sameLetters + folded)
        var comparison = EditDistance(wanted.scalars, steps: Self.steps)
        for (index, candidate) in known.enumerated() where !taken.contains(index) {
            let longest = max(candidate.scalars.count, wanted.scalars.count)
            let allowed = longest < 3 ? 0 : max(1, longest / 3)
            guard let distance = comparison.distance(to: candidate.scalars, atMost: allowed) else { continue }
            let plural = distance == 1 ? "one character" : "\(distance) characters"
            found.append((distance, NearName(name: candidate.name, difference: "differs in \(plural)")))
        }
        // Sorted by name too, so that equally near names come in one order every time.
        return found.sorted { ($0.distance, $0.name.name) < ($1.distance, $1.name.name) }.prefix(3).map(\.name)
    }
}

/// Insertions, deletions, replacements and swaps of neighbours that turn a name into others.
private struct EditDistance {
    private let wanted: [Unicode.Scalar]
    /// How many more pairs of scalars may be compared, in all.
    private var steps: Int

    init(_ wanted: [Unicode.Scalar], steps: Int) {
        self.wanted = wanted
        self.steps = steps
    }

    /// nil when it is more than `limit`, or would take more steps than there are.
    mutating func distance(to other: [Unicode.Scalar], atMost limit: Int) -> Int? {
        guard abs(other.count - wanted.count) <= limit else { return nil }
        // What they begin and end with alike costs nothing.
        let start = zip(wanted, other).prefix { $0 == $1 }.count
        let shorter = min(wanted.count, other.count) - start
        let end = zip(wanted.reversed(), other.reversed()).prefix(shorter).prefix { $0 == $1 }.count
        let a = Array(wanted[start..<(wanted.count - end)])
        let b = Array(other[start..<(other.count - end)])
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        guard a.count * b.count <= steps else { return nil }
        steps -= a.count * b.count
        let distance = Self.distance(a, b)
        return distance <= limit ? distance : nil
    }

    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            row.reserveCapacity(b.count + 1)
            for j in 1...b.count {
                let same = a[i - 1] == b[j - 1]
                var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    cost = min(cost, beforeLast[j - 2] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}

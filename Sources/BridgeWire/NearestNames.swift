/// A known name that resembles an unknown one.
package struct NearName: Sendable, Hashable {
    package var name: String
    /// What tells the two apart, for people: "differs in upper and lower case".
    package var difference: String
}

/// Up to three of `known` that `name` may have been meant to be, the nearest first; none if nothing resembles it.
///
/// Names that differ in case, in surrounding space, in separators or in Unicode normalisation only come first, then
/// those within a third of their length by edit distance.
package func nearestNames(to name: String, in known: [String]) -> [NearName] {
    // Only so much of a name is compared: a request must not be able to make this expensive.
    guard name.utf8.count <= 256 else { return [] }
    let wanted = Array(name.unicodeScalars)
    let folded = fold(name)
    var found: [(distance: Int, name: NearName)] = []
    for candidate in known where candidate.utf8.count <= 256 {
        if candidate.lowercased() == name.lowercased() {
            let difference =
                candidate == name ? "differs in Unicode normalisation only" : "differs in upper and lower case only"
            found.append((0, NearName(name: candidate, difference: difference)))
        } else if !folded.isEmpty, fold(candidate) == folded {
            found.append((0, NearName(name: candidate, difference: "differs in spaces or punctuation only")))
        } else {
            let scalars = Array(candidate.unicodeScalars)
            let longest = max(scalars.count, wanted.count)
            let allowed = longest < 3 ? 0 : max(1, longest / 3)
            guard abs(scalars.count - wanted.count) <= allowed else { continue }
            let distance = editDistance(wanted, scalars)
            if distance <= allowed {
                let plural = distance == 1 ? "one character" : "\(distance) characters"
                found.append((distance, NearName(name: candidate, difference: "differs in \(plural)")))
            }
        }
    }
    // Sorted by name too, so that equally near names come in one order every time.
    return found.sorted { ($0.distance, $0.name.name) < ($1.distance, $1.name.name) }.prefix(3).map(\.name)
}

private func fold(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
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

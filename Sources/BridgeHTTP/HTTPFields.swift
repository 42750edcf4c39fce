/// The fields of a head, in order, with their bytes as received.
///
/// Names compare without regard to ASCII case. What is in here is always fit to be sent: names are tokens, and
/// values hold no control characters, so no value can end a line (RFC 9110, section 5.5).
package struct HTTPFields: Sendable {
    /// Where a field lies in `storage`. Head limits keep these small.
    struct Entry: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    private var storage: [UInt8]
    private var entries: [Entry]

    package init() {
        storage = []
        entries = []
    }

    /// Takes over scanned bytes. The scanner has checked what it lists in `entries`.
    init(storage: [UInt8], entries: [Entry]) {
        self.storage = storage
        self.entries = entries
    }

    package var count: Int { entries.count }

    /// Adds a field after the others. Control characters in the value become spaces, as RFC 9110, section 5.5
    /// has it; spaces around it are dropped.
    /// - Returns: false, and nothing is added, when the name is no token.
    @discardableResult
    package mutating func append(_ name: String, _ value: String) -> Bool {
        guard name.utf8.isToken else { return false }
        let nameStart = storage.count
        storage.append(contentsOf: name.utf8)
        let valueStart = storage.count
        let fit = Array(value.utf8.lazy.map { $0.isFieldValueByte ? $0 : .space })
        storage.append(contentsOf: fit.trimmedOfWhitespace)
        entries.append(Entry(name: nameStart..<valueStart, value: valueStart..<storage.count))
        return true
    }

    /// Replaces every field of that name by one at the end. Returns false when the name is no token.
    @discardableResult
    package mutating func set(_ name: String, _ value: String) -> Bool {
        entries = entries.filter { !isNamed($0, name) }
        return append(name, value)
    }

    package mutating func append(contentsOf other: HTTPFields) {
        for entry in other.entries {
            let start = storage.count
            storage.append(contentsOf: other.storage[entry.name])
            let middle = storage.count
            storage.append(contentsOf: other.storage[entry.value])
            entries.append(Entry(name: start..<middle, value: middle..<storage.count))
        }
    }

    /// The values of every field of that name, as bytes, in order.
    package func bytes(_ name: String) -> [ArraySlice<UInt8>] {
        entries.lazy.filter { isNamed($0, name) }.map { storage[$0.value] }
    }

    /// The values of every field of that name, in order; bytes that are no ASCII become U+FFFD. Strings compare by
    /// canonical equivalence, in time that is quadratic in the marks that a peer can put on one letter.
    package func values(_ name: String) -> [String] {
        bytes(name).map(\.asciiText)
    }

    /// The value of the first field of that name, as in ``values(_:)``.
    package subscript(_ name: String) -> String? {
        for entry in entries where isNamed(entry, name) { return storage[entry.value].asciiText }
        return nil
    }

    /// How many fields of that name there are.
    package func count(of name: String) -> Int {
        entries.count { isNamed($0, name) }
    }

    private func isNamed(_ entry: Entry, _ name: String) -> Bool {
        // Most names differ in length already.
        entry.name.count == name.utf8.count && storage[entry.name].equalsIgnoringCase(name.utf8)
    }

    /// The elements of a comma-separated list that may be spread over several fields, as in ``values(_:)``, empty
    /// ones left out (RFC 9110, section 5.6.1). For lists of tokens: a quoted comma is not looked for.
    package func elements(_ name: String) -> [String] {
        bytes(name).flatMap { value in
            value.split(separator: 0x2C).compactMap { element in
                let trimmed = element.trimmedOfWhitespace
                return trimmed.isEmpty ? nil : trimmed.asciiText
            }
        }
    }

    /// Whether such a list has the token, in any case.
    package func contains(token: String, in name: String) -> Bool {
        elements(name).contains { $0.utf8.equalsIgnoringCase(token.utf8) }
    }

    /// Writes the field lines, each with its CRLF.
    func append(to output: inout [UInt8]) {
        for entry in entries {
            output.append(contentsOf: storage[entry.name])
            output.append(.colon)
            output.append(.space)
            output.append(contentsOf: storage[entry.value])
            output.append(.carriageReturn)
            output.append(.lineFeed)
        }
    }
}

/// A field as text; see ``HTTPFields/bytes(_:)`` for values that are no UTF-8.
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String
}

extension HTTPFields: Sequence {
    package func makeIterator() -> some IteratorProtocol<HTTPField> {
        entries.lazy.map { entry in
            HTTPField(
                name: String(decoding: storage[entry.name], as: UTF8.self),
                value: String(decoding: storage[entry.value], as: UTF8.self))
        }.makeIterator()
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// In the order written; a name may occur more than once.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

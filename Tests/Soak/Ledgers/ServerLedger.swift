/// What the servers wrote down, a line each, before anybody could know of it:
///
///     x TAG N            the handler of message N of that session began
///     c TAG N            it calls the page
///     r TAG N OUTCOME    how that ended: `ok`, a failure's code, or `cancelled`
///     e HANDLERS CALLS PAGES   what was still pending once the server had drained
package struct ServerLedger: Sendable {
    package struct PageCall: Sendable, Equatable {
        package var begun = 0
        package var outcomes: [String] = []

        package init() {}
    }

    package struct Session: Sendable {
        /// The numbers of the messages, as they began.
        package var executed: [Int] = []
        package var calls: [Int: PageCall] = [:]

        package init() {}
    }

    package var sessions: [String: Session] = [:]
    /// Servers that have written their last line.
    package var ended = 0
    package var faults: [String] = []

    package init() {}

    package mutating func read(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            if parts.first == "e" {
                ended += 1
                if parts != ["e", "0", "0", "0"] {
                    faults.append("left pending by a server that has drained (handlers, calls, pages): \(parts)")
                }
            } else if parts.count >= 3, let number = Int(parts[2]) {
                read(parts, number)
            } else {
                faults.append("a line of the server's ledger is broken: \(parts)")
            }
        }
    }

    private mutating func read(_ parts: [String], _ number: Int) {
        switch (parts[0], parts.count) {
        case ("x", 3): sessions[parts[1], default: Session()].executed.append(number)
        case ("c", 3): sessions[parts[1], default: Session()].calls[number, default: PageCall()].begun += 1
        case ("r", 4):
            sessions[parts[1], default: Session()].calls[number, default: PageCall()].outcomes.append(parts[3])
        default: faults.append("a line of the server's ledger is broken: \(parts)")
        }
    }
}

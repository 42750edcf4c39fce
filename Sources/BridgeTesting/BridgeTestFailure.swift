/// What a test awaited and did not get, with what arrived instead.
public struct BridgeTestFailure: Error, Sendable, CustomStringConvertible {
    /// One line, and a line for each call that arrived.
    public let description: String

    init(_ what: String) {
        description = what
    }

    init(_ what: String, _ calls: RecordedCalls) {
        let arrived = calls.all
        // The last ones tell most; a failure's text is read by people.
        let shown = arrived.suffix(20).map { "\n  \($0)" }.joined()
        let count = arrived.count > 20 ? "the last 20 of \(arrived.count) calls" : "what did arrive"
        description = "\(what); " + (arrived.isEmpty ? "no call arrived at all" : "\(count):\(shown)")
    }
}

struct DeadlinePassed: Error {}

/// Runs `body`, cancelled after `deadline`: then it throws ``DeadlinePassed``.
func withDeadline<Result: Sendable>(
    _ deadline: Duration, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: deadline)
            throw DeadlinePassed()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw DeadlinePassed() }
        return first
    }
}

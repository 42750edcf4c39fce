/// The changes of a page's URL since the moment of the subscription, without end until the page closes.
///
/// One subscription, for one reader: another needs another.
public struct WebPageURLChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = WebPageURLChange
    /// It cannot fail.
    public typealias Failure = Never

    private let stream: AsyncStream<WebPageURLChange>

    /// - Parameter stream: must buffer without bound.
    package init(_ stream: AsyncStream<WebPageURLChange>) {
        self.stream = stream
    }

    /// Hands the changes out, each once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<WebPageURLChange>.Iterator

        fileprivate init(_ iterator: AsyncStream<WebPageURLChange>.Iterator) {
            self.iterator = iterator
        }

        /// Waits for the next change; nil when the page has closed or the task is cancelled.
        public mutating func next() async -> WebPageURLChange? { await iterator.next() }

        /// Waits for the next change; nil when the page has closed or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> WebPageURLChange? {
            await iterator.next(isolation: actor)
        }
    }

    /// For the one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream.makeAsyncIterator()) }
}

/// Whoever reads a page's URL changes, and who tells them.
@MainActor
package final class WebPageURLSubscribers {
    private var continuations: [UInt64: AsyncStream<WebPageURLChange>.Continuation] = [:]
    private var lastID: UInt64 = 0
    private var isClosed = false
    private var lastSequence: UInt64 = 0

    package init() {}

    isolated deinit { close() }

    /// How many there are.
    package var count: Int { continuations.count }

    package func subscribe() -> WebPageURLChanges {
        let (stream, continuation) = AsyncStream.makeStream(
            of: WebPageURLChange.self, bufferingPolicy: .unbounded)
        guard !isClosed else {
            continuation.finish()
            return WebPageURLChanges(stream)
        }
        lastID += 1
        let id = lastID
        continuations[id] = continuation
        continuation.onTermination = { [weak self] reason in
            // A subscription that was finished is gone already.
            guard case .cancelled = reason else { return }
            Task { @MainActor in self?.continuations[id] = nil }
        }
        return WebPageURLChanges(stream)
    }

    /// Numbers the change and hands it to everybody.
    @discardableResult
    package func send(_ change: WebPageURLChange) -> WebPageURLChange {
        lastSequence += 1
        var change = change
        change.sequence = lastSequence
        for (_, continuation) in continuations { continuation.yield(change) }
        return change
    }

    package func close() {
        isClosed = true
        for continuation in continuations.values { continuation.finish() }
        continuations = [:]
    }
}

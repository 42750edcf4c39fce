package import BridgeJSON
import Dispatch
import Synchronization

/// Commands to a browser, their results, and the events that come of themselves.
///
/// **Order.** All that comes is handled on one serial queue, in the order in which it came: the sink of an event has
/// returned before the next message is looked at, be that an event of another session or a result. A sink is called on that
/// queue, is quick, and does not wait: it passes on what it is told, by one hop, to where the page lives. For a page on the
/// main actor that is `DispatchQueue.main.async { MainActor.assumeIsolated { … } }`, or one `AsyncStream`; a Task for each
/// message would lose the order. Results come in the same order:
/// - ``post(_:_:session:completion:)`` calls its completion on the queue, which hops as the sink does;
/// - ``send(_:_:session:isolation:)`` awaits in its caller's isolation, so that on the main actor it goes on behind the
///   events that were handed to the main queue before its result came.
///
/// Commands of one thread are written in the order in which they were posted. Posting never waits, whatever the browser does.
///
/// **End.** Once the browser has gone, each command that waits fails with the reason, in the order of posting; then each
/// sink hears `.ended`; and later commands fail with that reason. The same holds for the commands and the sink of one session
/// when that is detached, and for its commands alone, behind the event, when its page crashes and `Inspector.enable` was sent:
/// Chromium leaves those without an answer, these until the page is loaded again. So it does with what is sent to a page that
/// has crashed, but for `Page.navigate` and `Page.reload`: whoever owns the page sends nothing else before
/// `Inspector.targetReloadedAfterCrash`.
package final class DevToolsConnection: Sendable {
    package typealias Completion = @Sendable (Result<JSON, DevToolsFailure>) -> Void

    private struct Pending {
        let method: String
        let session: String?
        let complete: Completion
    }

    private typealias Commands = [Int: Pending]

    private struct State {
        var lastID = 0
        var pending: Commands = [:]
        var sessions = Sessions()
        var isBroken = false
        var end: DevToolsFailure?

        mutating func takeCommands(of session: String) -> Commands {
            let commands = pending.filter { $0.value.session == session }
            for id in commands.keys { pending.removeValue(forKey: id) }
            return commands
        }
    }

    /// Reads in a row before others that want the queue have their turn.
    private static let readsInARow = 16

    private let queue = DispatchQueue(label: "bridgehead.devtools")
    private let state = Mutex(State())
    private let incoming: IncomingPipe
    private let outgoing: OutgoingPipe
    private let onBroken: (@Sendable () -> Void)?
    /// Those that are open.
    private let descriptors = DispatchGroup()

    /// - Parameters:
    ///   - reading: where the browser's messages come from, and
    ///   - writing: where they go: two sockets that do not block. They are closed with the connection.
    ///   - onBroken: called once, on the queue, when the browser has closed its end or cannot be understood. It finds out
    ///     why, and then calls ``end(_:)``. nil: that the pipe has closed is reason enough.
    ///   - longestMessage: one that is longer ends the connection.
    package init(
        reading: Int32, writing: Int32, longestMessage: Int = 256 << 20, onBroken: (@Sendable () -> Void)? = nil
    ) {
        self.onBroken = onBroken
        incoming = IncomingPipe(reading, longestMessage: longestMessage)
        let this = WeakConnection()
        for _ in 1...2 { descriptors.enter() }
        let onClosed: @Sendable () -> Void = { [descriptors] in descriptors.leave() }
        outgoing = OutgoingPipe(writing, queue: queue, onBroken: { this.connection?.isClosed() }, onClosed: onClosed)
        this.connection = self
        incoming.start(on: queue, ready: { [weak self] in self?.read() }, onClosed: onClosed)
    }

    deinit {
        let (commands, sinks) = settle(.ended(reason: "nobody has the connection any more"))
        queue.async { Self.tell(.ended(reason: "nobody has the connection any more"), commands, sinks) }
    }

    // MARK: Commands

    /// Sends a command. From any thread, and without waiting.
    ///
    /// - Parameters:
    ///   - session: the session that it is for; nil: the browser itself.
    ///   - completion: called once, on the queue; see above for its place in the order. nil: nobody wants to know.
    package func post(
        _ method: String, _ params: JSON = [:], session: String? = nil, completion: Completion? = nil
    ) {
        start(nextID(), method, params, session, completion ?? { _ in })
    }

    /// Sends a command, and waits for its result.
    ///
    /// - Throws: `DevToolsFailure`; `CancellationError` when the task was cancelled, at once. What the browser does is not
    ///   undone by that.
    package func send(
        _ method: String, _ params: JSON = [:], session: String? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> JSON {
        try Task.checkCancellation()
        let id = nextID()
        let result: Result<JSON, DevToolsFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(id, method, params, session) { continuation.resume(returning: $0) }
                // The handler below may have run already, and found nothing.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        if case .failure(.cancelled) = result { throw CancellationError() }
        return try result.get()
    }

    /// How many commands were sent so far: what a call costs is the difference.
    package var sentCount: Int { state.withLock(\.lastID) }

    /// How many commands wait for their results.
    package var pendingCount: Int { state.withLock { $0.pending.count } }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func start(
        _ id: Int, _ method: String, _ params: JSON, _ session: String?, _ complete: @escaping Completion
    ) {
        let end = state.withLock { state in
            if state.end == nil { state.pending[id] = Pending(method: method, session: session, complete: complete) }
            return state.end
        }
        if let end { return queue.async { complete(.failure(end)) } }
        var message: JSONObject = ["id": JSON(id), "method": JSON(method), "params": params]
        if let session { message["sessionId"] = JSON(session) }
        outgoing.write(Array(JSON.object(message).text.utf8) + [0])
    }

    private func cancel(_ id: Int) {
        let pending = state.withLock { $0.pending.removeValue(forKey: id) }
        if let pending { queue.async { pending.complete(.failure(.cancelled)) } }
    }

    // MARK: Events

    /// Tells `sink` all that comes in a session from now on; before, and with nil, nobody is told. From any thread, sinks
    /// included. As a session says nothing before it is asked to, nothing is lost when its sink is set before its first
    /// command, wherever that happens.
    ///
    /// - Parameter session: nil: the browser itself.
    package func listen(to session: String? = nil, _ sink: (@Sendable (DevToolsMessage) -> Void)?) {
        let end = state.withLock { state in
            if state.end == nil { state.sessions[session] = sink }
            return state.end
        }
        if let end, let sink { queue.async { sink(.ended(end)) } }
    }

    /// Fails the commands of a session that wait, as where it is detached, without waiting for the browser to do that; its
    /// sink hears nothing more. From any thread.
    package func abandon(_ session: String) {
        let commands = state.withLock { state in
            state.sessions[session] = nil
            return state.takeCommands(of: session)
        }
        if !commands.isEmpty { queue.async { Self.tell(.detached(session: session), commands, []) } }
    }

    // MARK: The end

    /// Ends the connection when what the browser has said is handled: it has gone. From any thread; the first reason is what
    /// counts.
    package func end(_ reason: String) {
        queue.async {
            // No pipe holds more than this.
            for _ in 0..<Self.readsInARow { guard case .more = self.readOnce() else { break } }
            self.finish(reason)
        }
    }

    /// Returns when the connection has ended, everybody was told, and its descriptors are closed.
    package func closed() async {
        await withCheckedContinuation { continuation in
            descriptors.notify(queue: queue) { continuation.resume() }
        }
    }

    private func isClosed() {
        guard let onBroken else { return finish("the browser has closed its pipe") }
        // Its end would be told again and again.
        incoming.close()
        let isFirst = state.withLock { state in
            defer { state.isBroken = true }
            return !state.isBroken && state.end == nil
        }
        if isFirst { onBroken() }
    }

    private func finish(_ reason: String) {
        let failure = DevToolsFailure.ended(reason: reason)
        let (commands, sinks) = settle(failure)
        Self.tell(failure, commands, sinks)
    }

    private func settle(_ failure: DevToolsFailure) -> (Commands, [Sessions.Sink]) {
        incoming.close()
        outgoing.close()
        return state.withLock { state in
            guard state.end == nil else { return ([:], []) }
            state.end = failure
            defer { state.pending = [:] }
            return (state.pending, state.sessions.takeAll())
        }
    }

    private static func tell(_ failure: DevToolsFailure, _ commands: Commands, _ sinks: [Sessions.Sink]) {
        for (_, command) in commands.sorted(by: { $0.key < $1.key }) { command.complete(.failure(failure)) }
        for sink in sinks { sink(.ended(failure)) }
    }

    // MARK: What comes

    private func read() {
        for _ in 0..<Self.readsInARow {
            switch readOnce() {
            case .more: continue
            case .paused: return
            case .closed: return isClosed()
            case .broken(let reason):
                finish(reason)
                onBroken?()
                return
            }
        }
        queue.async { [weak self] in self?.read() }
    }

    private func readOnce() -> IncomingPipe.Reading {
        var messages: [[UInt8]] = []
        let reading = incoming.read(into: &messages)
        for text in messages {
            guard let message = IncomingMessage(parsing: text) else {
                return .broken("the browser sent what is no message of the protocol")
            }
            take(message)
        }
        return reading
    }

    private func take(_ message: IncomingMessage) {
        switch message {
        case .result(let id, let result):
            state.withLock { $0.pending.removeValue(forKey: id) }?.complete(.success(result))
        case .error(let id, let code, let message):
            guard let command = state.withLock({ $0.pending.removeValue(forKey: id) }) else { return }
            command.complete(.failure(.refused(method: command.method, code: code, message: message)))
        case .event(let session, let method, let params):
            let attached = method == "Target.attachedToTarget" ? params["sessionId"]?.string : nil
            let sink = state.withLock { state in
                if let attached { state.sessions.attached(attached, from: session) }
                return state.sessions[session]
            }
            sink?(.event(method: method, params: params))
            if method == "Target.detachedFromTarget", let gone = params["sessionId"]?.string { detach(gone) }
            if method == "Inspector.targetCrashed", let session {
                Self.tell(.crashed(session: session), state.withLock { $0.takeCommands(of: session) }, [])
            }
        }
    }

    private func detach(_ session: String) {
        let gone = state.withLock { state in
            state.sessions.detached(session).map { session, sink in
                (session, state.takeCommands(of: session), [sink].compactMap(\.self))
            }
        }
        for (session, commands, sinks) in gone { Self.tell(.detached(session: session), commands, sinks) }
    }
}

/// Set once, before anybody reads it on the queue.
private final class WeakConnection: Sendable {
    private struct Reference {
        weak var connection: DevToolsConnection?
    }

    private let reference = Mutex(Reference())

    var connection: DevToolsConnection? {
        get { reference.withLock(\.connection) }
        set { reference.withLock { $0.connection = newValue } }
    }
}

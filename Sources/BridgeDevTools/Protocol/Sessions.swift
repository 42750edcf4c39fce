/// Who is told what comes in each session. Every message is told to the sink of its session, on the connection's queue.
struct Sessions {
    typealias Sink = @Sendable (DevToolsMessage) -> Void

    /// nil is the browser itself.
    private var sinks: [String?: Sink] = [:]
    /// From which session each was attached.
    private var parents: [String: String?] = [:]

    subscript(session: String?) -> Sink? {
        get { sinks[session] }
        set { sinks[session] = newValue }
    }

    mutating func attached(_ session: String, from parent: String?) { parents[session] = parent }

    /// Forgets a session and those that were attached from it: nobody tells of these.
    ///
    /// - Returns: their names, each after those attached from it, with their sinks.
    mutating func detached(_ session: String) -> [(session: String, sink: Sink?)] {
        parents.removeValue(forKey: session)
        let children = parents.filter { $0.value == session }.keys.sorted()
        return children.flatMap { detached($0) } + [(session, sinks.removeValue(forKey: session))]
    }

    mutating func takeAll() -> [Sink] {
        defer { self = Sessions() }
        return sinks.sorted { ($0.key ?? "") > ($1.key ?? "") }.map(\.value)
    }
}

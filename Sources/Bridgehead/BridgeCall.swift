internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

/// One call of a handler: who asked, and the way to report progress.
///
/// May be kept and used from any thread; after the call was answered or cancelled, reports go nowhere.
public struct BridgeCall<Progress: Encodable & Sendable>: Sendable {
    let context: CallContext

    /// The page that sent the event.
    public var page: BridgePage { BridgePage(context.session) }

    /// Whether the page took the request back, its deadline passed or its page is gone. An asynchronous handler's task
    /// is cancelled too.
    public var isCancelled: Bool { context.cancellation?.isCancelled ?? false }

    /// Sends progress to the page, in order and before the answer. Dropped for a notification, over HTTP, and after
    /// the answer; logged and dropped if JSON cannot say it.
    public func report(_ progress: Progress) {
        context.report(progress)
    }
}

/// What every handler is called with, whatever its types. A class, as it goes through many hands.
final class CallContext: Sendable {
    let session: BridgeSession
    /// Numbers the calls of a session: ids can come again, these do not.
    let serial: UInt64
    let name: JSONString
    /// Nil for a notification.
    let reply: ReplyAddress?
    /// Nil for a synchronous handler, which nothing can cancel.
    let cancellation: Cancellation?

    init(
        session: BridgeSession, serial: UInt64, name: JSONString, reply: ReplyAddress?, cancellation: Cancellation?
    ) {
        self.session = session
        self.serial = serial
        self.name = name
        self.reply = reply
        self.cancellation = cancellation
    }

    func report(_ progress: some Encodable & Sendable) {
        guard let reply, session.kind == .stream else { return }
        var writer = JSONWriter()
        writer.beginProgress(to: reply)
        do {
            try JSON.encode(progress, into: &writer, maximumDepth: JSON.highestMaximumDepth - 2)
        } catch {
            session.log(.error, "progress cannot be encoded and was dropped", fields("error", "\(error)"))
            return
        }
        writer.endProgress(to: reply)
        let bytes = writer.bytes
        let serial = serial
        session.perform { $0.report(bytes, of: serial) }
    }

    func fields(_ key: String, _ value: String) -> BridgeLog.Fields {
        [("session", session.label), ("event", name.string), (key, value)]
    }
}

/// Set once, read from any thread.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}

package import BridgeJSON

/// What a sink is told.
package enum DevToolsMessage: Sendable {
    /// An event of the session.
    case event(method: String, params: JSON)
    /// The last: the session, or the browser, is no more.
    case ended(DevToolsFailure)
}

/// Why a command has no result.
package enum DevToolsFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The browser answered with an error.
    case refused(method: String, code: Int, message: String)
    /// The session of the command has ended: its page was closed, or let go.
    case detached(session: String)
    /// The page of the session has crashed while the command was under way.
    case crashed(session: String)
    /// There is no browser any more, or no way to it.
    case ended(reason: String)
    /// Nobody waits for the result any more. ``DevToolsConnection/send(_:_:session:isolation:)`` throws `CancellationError`
    /// instead.
    case cancelled

    package var description: String {
        switch self {
        case .refused(let method, let code, let message): "\(method): \(message) (\(code))"
        case .detached: "the page was closed"
        case .crashed: "the page has crashed"
        case .ended(let reason): reason
        case .cancelled: "nobody waits for it any more"
        }
    }
}

/// One message from the browser.
enum IncomingMessage {
    case result(id: Int, JSON)
    case error(id: Int, code: Int, message: String)
    case event(session: String?, method: String, params: JSON)

    /// nil: the protocol has no such message.
    init?(parsing text: [UInt8]) {
        guard let json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth), json.object != nil else {
            return nil
        }
        if let id = json["id"]?.int {
            if let error = json["error"] {
                // Some errors say in `data` what is wrong, and in `message` only that something is.
                let message = [error["message"]?.string, error["data"]?.string].compactMap(\.self)
                self = .error(id: id, code: error["code"]?.int ?? 0, message: message.joined(separator: ": "))
            } else {
                self = .result(id: id, json["result"] ?? [:])
            }
        } else if let method = json["method"]?.string {
            self = .event(session: json["sessionId"]?.string, method: method, params: json["params"] ?? [:])
        } else {
            return nil
        }
    }
}

internal import BridgeJSON
internal import BridgeWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page at the other end of a session. Each document is a session, and a page, of its own.
///
/// Calls fail with −32006 if there is no page (HTTP, a client that said no `$/hello`), with −32005 if its document goes
/// away first, with −32004 if the connection does. A task that is cancelled takes its call back and throws
/// `CancellationError`.
public struct BridgePage: Sendable, Identifiable {
    let session: BridgeSession

    init(_ session: BridgeSession) {
        self.session = session
    }

    /// Names the session, also in logs.
    public var id: String { session.label }

    /// What the page said about itself: `url`, `title` and more from its greeting, and its latest state.
    public var info: JSON { session.observations.info }

    /// Every change the page reports from now on, in order: `$/page.state` and `$/page.url` with their payloads.
    public var changes: AsyncStream<(name: String, payload: JSON)> { session.observations.changes() }

    /// Sends an event and waits for what the page's handler returns.
    ///
    /// - Throws: the page's failure; −32001 after `timeout`; −32011 if the answer is no `Reply`; `JSONCodingError` if the
    ///   event cannot be encoded.
    @discardableResult
    public func send<E: BridgeEvent>(
        _ event: E, timeout: Duration? = nil, onProgress: (@Sendable (E.Progress) -> Void)? = nil
    ) async throws -> E.Reply where E.Reply: Codable {
        let answer = try await request(event, timeout, onProgress)
        do throws(JSONCodingError) {
            return try JSON.decode(E.Reply.self, from: answer)
        } catch {
            // Not the coder's error: it would blame the payload of whoever asked the handler that called the page.
            throw BridgeFailure.unsupportedResult(error, of: E.name)
        }
    }

    /// Sends an event without a reply and waits until the page has handled it.
    public func send<E: BridgeEvent>(
        _ event: E, timeout: Duration? = nil, onProgress: (@Sendable (E.Progress) -> Void)? = nil
    ) async throws where E.Reply == Void {
        _ = try await request(event, timeout, onProgress)
    }

    /// Sends an event that is not answered.
    ///
    /// - Throws: if the event cannot be encoded. That there is no page is logged only.
    public func notify<E: BridgeEvent>(_ event: E) throws {
        let payload = try JSON.encode(event)
        session.perform { $0.notify(JSONString(E.name), payload) }
    }

    /// Calls a function that the page defines, by its path on `window`, and waits for what it returns or resolves to.
    @discardableResult
    public func callFunction(_ path: String, _ arguments: any Encodable & Sendable...) async throws -> JSON {
        let arguments = try arguments.map { try JSON.encode($0) }
        return try await request("$/page.callFunction", ["name": JSON(path), "arguments": .array(arguments)])
    }

    /// Evaluates a script by WebKit's rules; with arguments, as the body of an async function whose parameters they
    /// are. Only where the page allows it.
    @discardableResult
    public func evaluate(
        _ script: String, arguments: [String: any Encodable & Sendable]? = nil
    ) async throws -> JSON {
        let result: JSON
        if let arguments {
            var values = JSONObject()
            for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
                values[name] = ScriptValue.encode(try JSON.encode(value))
            }
            result = try await request("$/page.call", ["body": JSON(script), "arguments": .object(values)])
        } else {
            result = try await request("$/page.evaluate", ["script": JSON(script)])
        }
        do throws(ScriptValue.Fault) {
            return try ScriptValue.decode(result, nesting: session.limits.nesting)
        } catch {
            throw BridgeFailure.unsupportedResult(path: error.path, expected: error.expected)
        }
    }

    /// Begins to load another document, http or https. Returns before the navigation begins.
    public func load(_ url: URL) async throws {
        _ = try await request("$/page.load", ["url": JSON(url.absoluteString)])
    }

    /// Begins to load the same document again. Returns before the navigation begins.
    public func reload() async throws {
        _ = try await request("$/page.reload", nil)
    }

    /// Stops loading.
    public func stop() async throws {
        _ = try await request("$/page.stop", nil)
    }

    /// Goes through the page's history, as `history.go` does.
    public func go(_ delta: Int) async throws {
        _ = try await request("$/page.go", ["delta": JSON(delta)])
    }

    private func request<E: BridgeEvent>(
        _ event: E, _ timeout: Duration?, _ onProgress: (@Sendable (E.Progress) -> Void)?
    ) async throws -> JSON {
        let payload = try JSON.encode(event)
        guard let onProgress else {
            return try await session.call(E.name, payload, timeout: timeout, onProgress: nil)
        }
        let log = session.log
        return try await session.call(E.name, payload, timeout: timeout) { progress in
            do throws(JSONCodingError) {
                onProgress(try JSON.decode(E.Progress.self, from: progress))
            } catch {
                log(.error, "progress does not decode", [("event", E.name), ("error", "\(error)")])
            }
        }
    }

    /// For events known by name only. That there is no page is logged only.
    package func notify(_ name: String, _ payload: JSON) {
        session.perform { $0.notify(JSONString(name), payload) }
    }

    /// For events known by name only; they wait for a page's answer as typed ones do.
    package func request(_ name: String, _ payload: JSON?, timeout: Duration? = nil) async throws -> JSON {
        try await session.call(name, payload, timeout: timeout, onProgress: nil)
    }
}

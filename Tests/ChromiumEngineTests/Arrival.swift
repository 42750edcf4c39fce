import Foundation
import PageEngines
import PageModel
import Testing

extension WebPage {
    /// Loads a document, and returns when it is there with all that belongs to it.
    func arrive(at url: URL) async throws {
        let arrival = Arrival()
        navigationHandler = arrival
        defer { navigationHandler = nil }
        let navigation = load(url)
        try await arrival.end(of: navigation)
    }

    /// Goes back, and returns when the document is there.
    func arriveBack() async throws {
        let arrival = Arrival(isAtCommit: true)
        navigationHandler = arrival
        defer { navigationHandler = nil }
        try await arrival.end(of: try #require(goBack()))
    }

    /// Loads a document with frames.
    ///
    /// - Returns: so many of them, the main frame among them, as they are read.
    func frames(_ count: Int, at url: URL) async throws -> [WebPageFrameInfo] {
        let posted = Posted(count)
        try messageHandlers.add("frame", posted)
        try addUserScript(
            WebPageUserScript(
                "window.webkit.messageHandlers.frame.postMessage(location.href)", at: .atDocumentEnd,
                forMainFrameOnly: false))
        try await arrive(at: url)
        await posted.all()
        removeAllUserScripts()
        messageHandlers.remove("frame")
        return posted.messages.map(\.frame)
    }
}

/// Waits for the end of loads.
@MainActor
private final class Arrival: WebPageNavigationHandling {
    private var ended: [WebPageNavigation: Result<Void, WebPageError>] = [:]
    private var waiting: [WebPageNavigation: CheckedContinuation<Void, any Error>] = [:]
    private let isAtCommit: Bool

    init(isAtCommit: Bool = false) { self.isAtCommit = isAtCommit }

    func end(of navigation: WebPageNavigation) async throws {
        try await withCheckedThrowingContinuation { continuation in
            if let result = ended[navigation] {
                continuation.resume(with: result.mapError { $0 })
            } else {
                waiting[navigation] = continuation
            }
        }
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        switch event {
        case .committed(let navigation): if isAtCommit { end(navigation, .success(())) }
        case .finished(let navigation): end(navigation, .success(()))
        case .failedProvisional(let navigation, let error), .failed(let navigation, let error):
            end(navigation, .failure(error))
        default: break
        }
    }

    private func end(_ navigation: WebPageNavigation, _ result: Result<Void, WebPageError>) {
        ended[navigation] = result
        waiting.removeValue(forKey: navigation)?.resume(with: result.mapError { $0 })
    }
}

/// Notes what is posted, and waits for so many.
@MainActor
final class Posted: WebPageScriptMessageHandling {
    private(set) var messages: [WebPageScriptMessage] = []
    private let count: Int
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ count: Int = .max) { self.count = count }

    var bodies: [JavaScriptValue] { messages.map(\.body) }

    func all() async {
        guard messages.count < count else { return }
        await withCheckedContinuation { waiting = $0 }
    }

    func webPage(_ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage) {
        messages.append(message)
        guard messages.count >= count else { return }
        waiting?.resume()
        waiting = nil
    }
}

/// Answers what is posted.
@MainActor
final class Replying: WebPageScriptMessageReplying {
    private let reply: @MainActor (WebPageScriptMessage) async throws -> JavaScriptValue

    init(_ reply: @escaping @MainActor (WebPageScriptMessage) async throws -> JavaScriptValue) { self.reply = reply }

    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue { try await reply(message) }
}

// Functions, as closures within `#expect` can be taken for each other by the compiler.
extension WebPage {
    /// What a script fails with: its code, and what was thrown.
    func failure(evaluating script: String, in frame: WebPageFrameInfo? = nil, world: WebPageContentWorld = .page) async
        -> String
    {
        do {
            return "no failure: \(try await evaluateJavaScript(script, in: frame, world: world))"
        } catch {
            return text(error)
        }
    }

    /// What a call fails with: its code, and what was thrown.
    func failure(
        calling body: String, _ arguments: [String: JavaScriptValue] = [:], in frame: WebPageFrameInfo? = nil,
        world: WebPageContentWorld = .page
    ) async -> String {
        do {
            return "no failure: \(try await callJavaScript(body, arguments: arguments, in: frame, world: world))"
        } catch {
            return text(error)
        }
    }

    private func text(_ error: any Error) -> String {
        switch error {
        case WebPageError.javaScriptException(let exception):
            exception.line == 0 ? "4 \(exception.message)" : "4 \(exception.message) @\(exception.line)"
        case let error as WebPageError: "\(error.code)"
        default: "\(error)"
        }
    }
}

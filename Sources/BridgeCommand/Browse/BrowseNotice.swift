import BridgeJSON
import Bridgehead
import Foundation
import PageEngines
import PageModel

/// What is told of a page, a line each.
enum BrowseNotice {
    case navigation(WebPageNavigationEvent)
    case urlChange(WebPageURLChange)
    case title(String)
    case progress(Double)
    /// The page posted an event.
    case posted(name: String, payload: JSON)
    /// The page posted something else to a message handler; in the tagged form.
    case postedBody(handler: String, JSON)
    case window(WebPageNavigationAction, isOpened: Bool)
    case dialog(kind: String, message: String)
    case denied(WebPageNavigationAction)
    /// In the tagged form.
    case result(JSON)
    case failure(WebPageError)
    case closed(WebPageError)

    /// What names it, for `--wait-for` too.
    var event: String {
        switch self {
        case .navigation(let event):
            switch event {
            case .startedProvisional: "startedProvisional"
            case .receivedServerRedirect: "receivedServerRedirect"
            case .committed: "committed"
            case .finished: "finished"
            case .failedProvisional: "failedProvisional"
            case .failed: "failed"
            case .webContentProcessTerminated: "webContentProcessTerminated"
            }
        case .urlChange: "urlChange"
        case .title: "title"
        case .progress: "progress"
        case .posted: "posted"
        case .postedBody: "postedBody"
        case .window: "window"
        case .dialog: "dialog"
        case .denied: "denied"
        case .result: "result"
        case .failure: "failure"
        case .closed: "closed"
        }
    }

    // MARK: As JSON

    var json: JSON {
        var members: JSONObject = ["event": JSON(event)]
        for (name, value) in details { members[JSONString(name)] = value }
        return .object(members)
    }

    private var details: [(String, JSON)] {
        switch self {
        case .navigation(let event):
            switch event {
            case .failedProvisional(_, let error), .failed(_, let error): [("error", Self.json(error))]
            default: []
            }
        case .urlChange(let change):
            [
                ("url", JSON(change.url.absoluteString)), ("cause", JSON(change.cause.rawValue)),
                ("committed", .bool(change.isCommitted)),
            ] + (change.index.map { [("index", JSON($0))] } ?? []) + [("sequence", JSON(change.sequence))]
        case .title(let title): [("title", JSON(title))]
        case .progress(let progress): [("progress", JSON(progress) ?? .null)]
        case .posted(let name, let payload): [("name", JSON(name)), ("payload", payload)]
        case .postedBody(let handler, let body): [("handler", JSON(handler)), ("body", body)]
        case .window(let action, let isOpened):
            [
                ("url", JSON(action.request.url.absoluteString)), ("userGesture", .bool(action.hasUserGesture)),
                ("opened", .bool(isOpened)),
            ]
        case .dialog(let kind, let message): [("kind", JSON(kind)), ("message", JSON(message))]
        case .denied(let action): [("url", JSON(action.request.url.absoluteString))]
        case .result(let value): [("result", value)]
        case .failure(let error), .closed(let error): [("error", Self.json(error))]
        }
    }

    private static func json(_ error: WebPageError) -> JSON {
        var json: JSONObject = [
            "domain": JSON(error.domain), "code": JSON(error.code), "message": JSON(error.description),
        ]
        if case .javaScriptException(let exception) = error {
            json["message"] = JSON(exception.message)
            if exception.line > 0 {
                json["line"] = JSON(exception.line)
                json["column"] = JSON(exception.column)
            }
        }
        return .object(json)
    }

    // MARK: For people

    /// One line, in which nothing that comes from the page can steer a terminal.
    func text(_ style: Style) -> String {
        let (mark, words) = line
        let label = mark.padding(to: 10)
        return "  \(paint(label, style))\(LogLine.printable(words))"
    }

    private func paint(_ label: String, _ style: Style) -> String {
        switch self {
        case .navigation(.failedProvisional), .navigation(.failed), .navigation(.webContentProcessTerminated), .failure,
            .closed, .denied:
            style.red(label)
        case .navigation(.finished), .result: style.green(label)
        case .urlChange: style.cyan(label)
        case .posted, .postedBody: style.green(label)
        default: style.dim(label)
        }
    }

    private var line: (String, String) {
        switch self {
        case .navigation(let event):
            switch event {
            case .startedProvisional: ("started", "")
            case .receivedServerRedirect: ("redirected", "")
            case .committed: ("committed", "")
            case .finished: ("finished", "")
            case .failedProvisional(_, let error), .failed(_, let error): ("failed", "\(error)")
            case .webContentProcessTerminated: ("crashed", "The page's process has ended")
            }
        case .urlChange(let change):
            (change.isCommitted ? "url" : "url?", "\(change.url.absoluteString)  (\(change.cause.rawValue))")
        case .title(let title): ("title", title.isEmpty ? "(none)" : title)
        case .progress(let progress): ("progress", "\(Int(progress * 100)) %")
        case .posted(let name, let payload): ("⬆ posted", "\(name) \(payload.text)")
        case .postedBody(let handler, let body): ("⬆ posted", "\(body.text)  (no event, to \(handler))")
        case .window(let action, let isOpened):
            ("window", "\(action.request.url.absoluteString)\(isOpened ? "" : "  (not opened)")")
        case .dialog(let kind, let message): (kind, message)
        case .denied(let action): ("denied", action.request.url.absoluteString)
        case .result(let value): ("result", value.text)
        case .failure(let error): ("failure", "\(error)")
        case .closed(let error): ("closed", "\(error)")
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - count))
    }
}

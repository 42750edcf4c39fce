import BridgeDevTools
import BridgeJSON

/// Errors on a page's console, as the DevTools protocol tells them.
enum Complaint {
    /// How many are kept of one page: the first ones say why.
    static let most = 5
    private static let longest = 300

    /// nil: the message is no error on the console.
    static func text(of message: DevToolsMessage) -> String? {
        guard case .event(let method, let parameters) = message else { return nil }
        let text: String?
        switch method {
        case "Runtime.exceptionThrown":
            let details = parameters["exceptionDetails"]
            text = (details?["exception"]?["description"] ?? details?["text"])?.string
        case "Runtime.consoleAPICalled" where parameters["type"] == "error":
            let arguments = parameters["args"]?.array ?? []
            text = arguments.map { ($0["value"] ?? $0["description"]).map { $0.string ?? $0.text } ?? "" }
                .joined(separator: " ")
        case "Log.entryAdded" where parameters["entry"]?["level"] == "error":
            let entry = parameters["entry"]
            let place = entry?["url"]?.string.map { " (\($0))" } ?? ""
            text = entry?["text"]?.string.map { $0 + place }
        default:
            text = nil
        }
        let line = text?.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.map { $0.count > longest ? $0.prefix(longest) + "…" : $0 }
    }
}

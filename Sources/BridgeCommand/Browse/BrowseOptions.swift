import BridgeJSON
import Bridgehead
import ChromiumEngine
import Foundation
import PageEngines
import PageModel

/// The options of `browse`, checked.
struct BrowseOptions: Sendable {
    /// When the page has been looked at long enough.
    enum End: Hashable, Sendable {
        /// Of the navigation, or one that the page posts.
        case event(String)
        /// After the first commit.
        case seconds(Duration)
    }

    let url: URL
    let end: End
    /// The body of a function; nil: none is called.
    let call: String?
    let arguments: [String: JavaScriptValue]
    let screenshot: String?
    let appearance: ChromiumAppearance
    let history: String?
    let timeout: Duration
    let browser: String?
    let printsJSON: Bool

    /// - Throws: `UsageError`, or `CommandFailure` for arguments that are no object.
    init(_ arguments: ParsedArguments, path: CommandPath) throws {
        let reader = OptionReader(arguments: arguments, path: path)
        let text = arguments.positionals[0]
        do throws(PageAddress.Malformed) {
            url = try PageAddress.url(parsing: text)
        } catch {
            throw UsageError(message: "The value '\(text)' is invalid for '<url>': \(error.reason)", path: path)
        }
        end = try Self.end(arguments, reader)
        call = arguments.value("call")
        if call == nil, arguments.value("arguments") != nil {
            throw UsageError(message: "'--arguments <json>' goes with '--call <body>'.", path: path)
        }
        self.arguments = try arguments.value("arguments").map { try Self.arguments($0) } ?? [:]
        screenshot = arguments.value("screenshot")
        history = arguments.value("history")
        var appearance = ChromiumAppearance()
        if let text = arguments.value("viewport") {
            guard let viewport = ChromiumAppearance.Viewport(text) else {
                throw reader.invalid(text, "viewport", ChromiumAppearance.Viewport.rule)
            }
            appearance.viewport = viewport
        }
        self.appearance = appearance
        timeout = try reader.seconds("timeout") ?? .seconds(30)
        browser = arguments.value("browser")
        printsJSON = arguments.has("json")
    }

    private static func end(_ arguments: ParsedArguments, _ reader: OptionReader) throws(UsageError) -> End {
        guard let text = arguments.value("wait-for") else { return .event("finished") }
        guard Double(text) == nil else { return .seconds(try reader.seconds("wait-for") ?? .zero) }
        guard !text.isEmpty else { throw reader.invalid(text, "wait-for", "it is an event's name, or seconds") }
        return .event(text)
    }

    private static func arguments(_ text: String) throws(CommandFailure) -> [String: JavaScriptValue] {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: Array(text.utf8))
        } catch {
            throw CommandFailure(.badData, "the arguments:\(error.line):\(error.column): \(error.reason)")
        }
        guard case .object(let object) = json else {
            throw CommandFailure(.badData, "the arguments:1:1: they are an object, {\"name\": value}")
        }
        var arguments: [String: JavaScriptValue] = [:]
        for member in object {
            let (name, shown) = (member.name.string, JSON.string(member.name).text)
            guard ScriptName.isName(name) else {
                throw CommandFailure(.badData, "the arguments: \(shown) is no name that an argument can have")
            }
            guard let value = JavaScriptValue(tagged: member.value) else {
                throw CommandFailure(.badData, "the arguments: \(shown) is in itself, or nested too deep")
            }
            arguments[name] = value
        }
        return arguments
    }
}

import Foundation
import PageEngines
import PageModel

/// What can show a page.
enum Backing: String, CaseIterable, Sendable {
    case stub, chromium, connected
}

/// What a page's own script does, as against what is asked of the page.
enum PageAct: Sendable {
    case push(String), replace(String), hash(String), go(Int), title(String)
    case visit(String), visitInPlace(String)
}

/// A page at `/a.html` of a server that has `/b.html` too; something at `slow` never answers, and nobody is at `nobody`.
@MainActor
protocol Fixture: AnyObject {
    var page: WebPage { get }
    func url(_ path: String) -> URL
    var slow: URL { get }
    var nobody: URL { get }
    /// Returns when the page's script has run, and not when what it leads to has come.
    func act(_ act: PageAct) async throws
    /// - Returns: `fulfilled …` or `rejected …`.
    func post(_ body: JavaScriptValue, to handler: String) async throws -> String
    func end() async
}

extension JavaScriptValue {
    /// As it would be written in a script, more or less.
    var text: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number):
            number.isNaN ? "NaN" : number == 0 && number.sign == .minus ? "-0" : int.map(String.init) ?? "\(number)"
        case .string(let string): "'\(string)'"
        case .date(let date): "Date(\(Int(date.timeIntervalSince1970)))"
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let object): "{\(object.map { "\($0.name):\($0.value.text)" }.joined(separator: ","))}"
        }
    }
}

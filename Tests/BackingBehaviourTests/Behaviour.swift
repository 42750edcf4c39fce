import Foundation
import PageEngines
import PageModel
import Testing

/// Something that a page does alike whatever shows it. It begins at `/a`, and yields what was seen.
struct Behaviour: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: String
    let see: @MainActor @Sendable (any Fixture, Recorder) async throws -> String

    init(
        _ name: String, _ expected: String,
        see: @escaping @MainActor @Sendable (any Fixture, Recorder) async throws -> String
    ) {
        testDescription = name
        self.expected = expected
        self.see = see
    }

    static let all = loads + states + observations + scripts + messages + ends

    /// The body of a call that nothing settles.
    static let neverEnding = "return await new Promise(() => { window.kept = arguments })"

    /// What it throws, as text.
    @MainActor
    static func failure(_ body: () async throws -> JavaScriptValue) async -> String {
        do {
            return "returned \(try await body().text)"
        } catch let error as WebPageError {
            return "\(error.code) \(error)"
        } catch {
            return "\(error)"
        }
    }
}

package import BridgeJSON
import BridgeWire

/// How an app spells what passes its bridge, read from a file: the names that web-fixtures/conformance/envelope.mjs
/// knows.
package enum Envelope {
    private static let names = ["handler", "eventName", "requestId", "payload", "reply", "answer"]
    private static let parts = ["response", "requestId", "error"]

    /// - Throws: what is wrong with it, with the name that may be meant.
    package static func check(_ json: JSON) throws(StepFault) {
        guard let members = json.object else { throw StepFault("an envelope is an object") }
        for member in members {
            let name = member.name.string
            guard names.contains(name) else { throw unknown(name, among: names) }
            guard name != "answer" else { continue }
            guard let text = member.value.string, !text.isEmpty else { throw StepFault("\"\(name)\" has to be a text") }
        }
        if let answer = members["answer"] { try check(answer: answer) }
    }

    private static func check(answer: JSON) throws(StepFault) {
        let given: [String]
        if let positions = answer.array {
            given = positions.map { $0.string ?? $0.text }
        } else if let members = answer.object {
            given = members.map(\.name.string)
            for member in members where member.value.string == nil {
                throw StepFault("\"answer\" names each member with a text")
            }
        } else {
            throw StepFault("\"answer\" is a list of \(parts.joined(separator: ", ")), or an object that names them")
        }
        for name in given where !parts.contains(name) { throw unknown(name, among: parts) }
        for name in ["response", "requestId"] where !given.contains(name) {
            throw StepFault("\"answer\" has to have \"\(name)\"")
        }
    }

    private static func unknown(_ name: String, among names: [String]) -> StepFault {
        let near = nearestNames(to: name, in: names).first
        let hint = near.map { "; did you mean \"\($0.name)\"?" } ?? "; there are: \(names.joined(separator: ", "))"
        return StepFault("unknown name \"\(name)\"\(hint)")
    }
}

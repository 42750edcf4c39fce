import BridgeJSON
import BridgeWire

/// The content of an answers file: for each event, what is answered to its first call, its second, …; the last
/// repeats.
package struct AnswersFile: Sendable {
    let answers: [(event: JSONString, sequence: [Answer])]

    /// Reads JSON with comments and trailing commas.
    package init(parsing bytes: [UInt8]) throws(AnswersError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw AnswersError(line: error.line, column: error.column, reason: error.reason)
        }
        if let repeated = RepeatedName(in: bytes) {
            throw AnswersError(
                line: repeated.line, column: repeated.column, reason: "\"\(repeated.name.string)\" is there already")
        }
        var reader = Reader(document: document)
        answers = try reader.answers(document.root)
    }
}

/// Turns the parsed file into answers; knows the way to where it is, for errors.
private struct Reader {
    let document: JSONDocument
    var path = JSONPath()

    mutating func answers(_ json: JSON) throws(AnswersError) -> [(JSONString, [Answer])] {
        guard case .object(let events) = json else {
            throw error("the file must be an object: event name to answer")
        }
        var result: [(JSONString, [Answer])] = []
        for member in events where member.name != "$schema" {
            guard !member.name.string.hasPrefix("$/") else {
                throw error(
                    "\"\(member.name.string)\" is the protocol's own, which is never answered from a file",
                    at: .name(member.name))
            }
            let sequence = try at(.name(member.name)) { reader throws(AnswersError) in
                try reader.sequence(member.value)
            }
            result.append((member.name, sequence))
        }
        return result
    }

    private mutating func sequence(_ json: JSON) throws(AnswersError) -> [Answer] {
        guard case .array(let elements) = json else { return [try answer(json)] }
        guard !elements.isEmpty else { throw error("the list of answers is empty") }
        var result: [Answer] = []
        for (index, element) in elements.enumerated() {
            result.append(try at(.index(index)) { reader throws(AnswersError) in try reader.answer(element) })
        }
        return result
    }

    private mutating func answer(_ json: JSON) throws(AnswersError) -> Answer {
        let members = try object(json, keys: ["response", "error", "delay", "progress"])
        var answer = Answer(outcome: .response(members["response"] ?? .null))
        if let failure = members["error"] {
            guard members["response"] == nil else {
                throw error("an answer is a response or an error, not both", at: .name("error"))
            }
            answer.outcome = .failure(
                try at(.name("error")) { reader throws(AnswersError) in try reader.failure(failure) })
        }
        if let delay = members["delay"] {
            guard let milliseconds = delay.double, milliseconds >= 0, milliseconds <= 86_400_000 else {
                throw error("delay must be a number of milliseconds, at most a day", at: .name("delay"))
            }
            answer.delay = .microseconds(Int(milliseconds * 1000))
        }
        if let progress = members["progress"] {
            guard case .array(let values) = progress else {
                throw error("progress must be a list of values", at: .name("progress"))
            }
            answer.progress = values
        }
        return answer
    }

    private mutating func failure(_ json: JSON) throws(AnswersError) -> BridgeFailure {
        let members = try object(json, keys: ["code", "message", "data"])
        guard let code = members["code"]?.int, Int32(exactly: code) != nil else {
            guard members["code"] != nil else { throw error("an error needs a code") }
            throw error("code must be a 32-bit integer", at: .name("code"))
        }
        guard let message = members["message"]?.string else {
            guard members["message"] != nil else { throw error("an error needs a message") }
            throw error("message must be a string", at: .name("message"))
        }
        return BridgeFailure(code, message, data: members["data"])
    }

    private mutating func object(_ json: JSON, keys: [String]) throws(AnswersError) -> JSONObject {
        guard case .object(let members) = json else {
            throw error("expected an object with \(keys.joined(separator: ", "))")
        }
        for key in members.map(\.name) where !keys.contains(where: key.equals) {
            let hint = nearestNames(to: key.string, in: keys).first.map { "; did you mean \"\($0.name)\"?" } ?? ""
            throw error("unknown key \"\(key.string)\"\(hint)", at: .name(key))
        }
        return members
    }

    private mutating func at<T>(
        _ step: JSONPath.Element, _ body: (inout Reader) throws(AnswersError) -> T
    ) throws(AnswersError) -> T {
        path.elements.append(step)
        defer { path.elements.removeLast() }
        return try body(&self)
    }

    private func error(_ reason: String, at step: JSONPath.Element? = nil) -> AnswersError {
        let place = document.place(of: JSONPath(path.elements + (step.map { [$0] } ?? [])))
        return AnswersError(line: place.line, column: place.column, reason: reason)
    }
}

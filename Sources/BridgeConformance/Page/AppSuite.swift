package import BridgeJSON
import WebFixtures

/// What the page that tests an app loads, and what it sends back.
package struct AppSuite: Sendable {
    /// Of the vectors that run in a page.
    package static let profiles: [Profile] = [.core, .surface]

    package let vectors: [Vector]
    /// `suite.json`.
    package let contents: [UInt8]

    /// - Parameter envelope: the app's spelling, as it was checked.
    package init(
        envelope: JSON, timeout: Duration, wanted: (Vector) -> Bool
    ) throws(VectorFault) {
        var vectors: [Vector] = []
        var files: [JSON] = []
        for file in try VectorFile.embedded() {
            let own = file.vectors.filter {
                $0.role == .native && $0.medium == .messages && Self.profiles.contains($0.profile) && wanted($0)
            }
            guard let first = own.first, let source = WebFixtures.contents("vectors/\(file.name)"),
                let written = (try? JSON(parsing: source))?["vectors"]?.array
            else { continue }
            let names = Set(own.map(\.name))
            vectors += own
            files.append([
                "profile": JSON(first.profile.rawValue),
                "vectors": .array(written.filter { $0["name"]?.string.map(names.contains) ?? false }),
            ])
        }
        self.vectors = vectors
        var rules = JSONObject()
        for rule in Rules.embedded.all { rules[rule.id] = JSON(rule.text) }
        let suite: JSON = [
            "rules": .object(rules), "envelope": envelope, "timeout": JSON(Int(timeout / .milliseconds(1))),
            "files": .array(files),
        ]
        contents = Array(suite.text.utf8)
    }

    /// What a page has to say.
    package enum Message: Sendable {
        /// Who shows it has no bridge: an ordinary browser.
        case noBridge(String)
        /// It begins, or goes on.
        /// - Parameters:
        ///   - visit: tells this showing of the page from others.
        ///   - results: those since the last such message.
        case runs(visit: String, userAgent: String, results: [VectorResult])
        /// There is a bridge, and nothing to test: why.
        case error(String)
        /// - Parameter bridge: what it found there.
        case results([VectorResult], bridge: String)
    }

    /// - Throws: why it is no message of the page's.
    package func read(_ bytes: [UInt8]) throws(StepFault) -> Message {
        guard let json = try? JSON(parsing: bytes) else { throw StepFault("the result is no JSON") }
        if let reason = json["error"]?.string { return .error(reason) }
        if let reason = json["noBridge"]?.string { return .noBridge(reason) }
        let mode = json["native"]?["mode"]?.string
        let results = try results(json["results"], over: mode)
        if json["begins"]?.bool == true {
            return .runs(
                visit: json["visit"]?.string ?? "", userAgent: json["userAgent"]?.string ?? "", results: results ?? [])
        }
        guard let results else { throw StepFault("there are no results") }
        let name = json["native"]?["name"]?.string ?? "the app"
        return .results(
            complete(results, reason: "the page did not run it"), bridge: name + (mode.map { " (\($0))" } ?? ""))
    }

    private func results(_ json: JSON?, over mode: String?) throws(StepFault) -> [VectorResult]? {
        guard let written = json?.array else { return nil }
        let byName = Dictionary(vectors.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var results: [VectorResult] = []
        for result in written {
            guard let vector = result["name"]?.string.flatMap({ byName[$0] }) else {
                throw StepFault("there is a result of a vector that is none")
            }
            results.append(try VectorResult(result, of: vector, over: mode))
        }
        return results
    }

    /// A result of each vector, in their order: the last one there is, or that it was skipped.
    package func complete(_ results: [VectorResult], reason: String) -> [VectorResult] {
        let byName = Dictionary(results.map { ($0.vector.name, $0) }, uniquingKeysWith: { _, last in last })
        return vectors.map { byName[$0.name] ?? VectorResult(skipped: $0, reason: reason) }
    }
}

extension VectorResult {
    fileprivate init(_ json: JSON, of vector: Vector, over mode: String?) throws(StepFault) {
        let outcome: Outcome
        switch json["status"]?.string {
        case "passed": outcome = .passed
        case "skipped": outcome = .skipped(json["reason"]?.string ?? "the page gave no reason")
        case "failed": outcome = .failed(Failure(json["difference"] ?? .null))
        default: throw StepFault("a result has no status")
        }
        let wire = (json["transcript"]?.array ?? []).map { line in
            WireRecord.Line(
                direction: line["direction"]?.string == "to native" ? .up : .down, text: line["text"]?.string ?? "")
        }
        let time = Duration.milliseconds(min(max(json["milliseconds"]?.int ?? 0, 0), 86_400_000))
        self.init(vector: vector, transport: mode, outcome: outcome, wire: wire, duration: time)
    }
}

extension VectorResult.Failure {
    fileprivate init(_ json: JSON) {
        func value(_ name: String) -> JSON? {
            guard let text = json[name]?.string else { return nil }
            return (try? JSON(parsing: Array(text.utf8))) ?? JSON(text)
        }
        let path = (json["path"]?.array ?? []).compactMap { element -> JSONPath.Element? in
            switch element {
            case .string(let name): .name(name)
            case .number(let number): number.int.map { .index($0) }
            default: nil
            }
        }
        let (expected, actual) = (value("expected"), value("got"))
        let difference =
            expected == nil && actual == nil
            ? nil : Difference(path: JSONPath(path), expected: expected, actual: actual)
        self.init(
            step: json["step"]?.int, message: json["what"]?.string ?? "something else came than was expected",
            difference: difference)
    }
}

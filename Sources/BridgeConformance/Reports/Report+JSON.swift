package import BridgeJSON

extension Report {
    /// The shape that web-fixtures/vectors/README.md documents.
    package var json: JSON {
        let counts = counts
        var object: JSONObject = [
            "target": JSON(target), "profiles": .array(profiles.map { JSON($0.rawValue) }),
        ]
        if let seed { object["seed"] = JSON(seed) }
        object["seconds"] = duration.json
        object["summary"] = [
            "passed": JSON(counts.passed), "failed": JSON(counts.failed), "skipped": JSON(counts.skipped),
        ]
        object["rules"] = .array(rules.map(\.json))
        object["vectors"] = .array(results.map(\.json))
        return .object(object)
    }
}

extension RuleState {
    fileprivate var json: JSON {
        [
            "rule": JSON(rule.id), "text": JSON(rule.text), "state": JSON(state.rawValue),
            "vectors": .array(vectors.map { JSON($0) }),
        ]
    }
}

extension VectorResult {
    fileprivate var json: JSON {
        var object: JSONObject = [
            "name": JSON(vector.name), "rule": JSON(vector.rule), "profile": JSON(vector.profile.rawValue),
            "file": JSON(vector.file),
        ]
        if let transport { object["transport"] = JSON(transport) }
        switch outcome {
        case .passed:
            object["state"] = "passed"
        case .skipped(let reason):
            object["state"] = "skipped"
            object["reason"] = JSON(reason)
        case .failed(let failure):
            object["state"] = "failed"
            object["failure"] = failure.json(wire)
        }
        object["seconds"] = duration.json
        return .object(object)
    }
}

extension VectorResult.Failure {
    fileprivate func json(_ wire: [WireRecord.Line]) -> JSON {
        var object: JSONObject = ["message": JSON(message)]
        if let step { object["step"] = JSON(step) }
        if let difference {
            object["path"] = JSON(difference.path.description)
            if let expected = difference.expected { object["expected"] = expected }
            if let actual = difference.actual { object["actual"] = actual }
        }
        object["wire"] = .array(wire.map { ["direction": JSON($0.direction.rawValue), "text": JSON($0.text)] })
        return .object(object)
    }
}

extension Duration {
    /// Seconds, to the millisecond.
    fileprivate var json: JSON { JSON((self / .milliseconds(1)).rounded() / 1_000) ?? 0 }
}

/// What one rule means, as a transcript (web-fixtures/vectors/README.md).
package struct Vector: Sendable {
    /// Unique among all files.
    package let name: String
    /// The rule of PROTOCOL.md that it shows, such as `L1`.
    package let rule: String
    package let profile: Profile
    package let role: Role
    package let medium: Medium
    /// The name of its file, such as `replies.json`.
    package let file: String
    package let steps: [Step]
    /// Whether all its messages need one session, which HTTP does not have.
    package let needsSession: Bool
    /// Whether it is for a target that asks for its token.
    package let needsToken: Bool
    /// The address that it connects to, if not the target's own.
    package let address: String?
    /// The name of the limit that it tests.
    package let limit: String?
    /// Over WebSocket: which endpoint, if not the bridge's own.
    package let path: String?
    /// The last thing that is sent has to be refused.
    package let mustFail: Bool
    /// It may be refused, or go as the steps say.
    package let canFail: Bool
}

extension Vector {
    /// Whether its limit is about time.
    package var testsTime: Bool { limit.map(TestedLimit.isTime) ?? false }

    /// Whether it is for a target that the runner can tell to drain.
    package var drains: Bool {
        steps.contains { step in
            if case .drain = step { true } else { false }
        }
    }

    init(_ reader: MemberReader, file: VectorFile.Head) throws(VectorFault) {
        try reader.allow("name", "rule", "steps", "needs", "limit", "path", "at", "mustFail", "canFail")
        name = try reader.string("name")
        rule = try reader.string("rule")
        profile = file.profile
        role = file.role
        medium = file.medium
        self.file = file.name
        steps = try reader.list("steps").map { step throws(VectorFault) in try Step(step) }
        guard !steps.isEmpty else { throw reader.fault("it has no steps") }
        let need = try reader.choice("needs", of: Need.self)
        needsSession = need == .session || profile == .session
        needsToken = need == .token
        address = try reader.optionalString("at")
        limit = try reader.optionalString("limit")
        path = try reader.optionalString("path")
        mustFail = try reader.flag("mustFail")
        canFail = try reader.flag("canFail")
        guard !mustFail || !steps.contains(where: \.expects) else {
            throw reader.fault("a vector that must fail has only things to send")
        }
    }

    private enum Need: String, CaseIterable { case session, token }
}

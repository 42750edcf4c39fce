import BridgeClient
package import BridgeJSON

/// Whoever is tested: where it is reached, and what it says of itself.
package struct Target: Sendable {
    /// More than one for a target that has several transports.
    package let endpoints: [Endpoint]
    /// The names of the profiles it claims; nil: it does not answer with a list of names.
    package let claimed: [String]?
    /// Its limits by name, as it told them.
    package let limits: JSONObject

    package init(
        endpoints: [Endpoint], claimed: [String]? = nil, limits: JSONObject = JSONObject()
    ) {
        self.endpoints = endpoints
        self.claimed = claimed
        self.limits = limits
    }

    /// Asks a target what it is.
    ///
    /// - Throws: `ClientFailure` when nobody answers at one of the endpoints.
    package static func ask(_ endpoints: [Endpoint], timeout: Duration) async throws -> Target {
        var claimed: [String]?
        var limits = JSONObject()
        for endpoint in endpoints {
            let answers = try await questions(endpoint, timeout: timeout)
            claimed = claimed ?? answers.profiles
            if limits.isEmpty { limits = answers.limits }
        }
        return Target(endpoints: endpoints, claimed: claimed, limits: limits)
    }

    private static func questions(
        _ endpoint: Endpoint, timeout: Duration
    ) async throws -> (profiles: [String]?, limits: JSONObject) {
        let session = try await connect(endpoint, timeout)
        let profiles = try await answer(of: session, "conformance.profiles", nil, timeout)
        var limits: JSON?
        // Over HTTP there is no `$/hello`, and who does not know it tells no limits, whatever else it does.
        if endpoint.hasSessions { limits = try? await answer(of: session, "$/hello", hello, timeout)?["limits"] }
        await session.leave()
        return (profiles?.claimedProfiles, limits?.object ?? JSONObject())
    }

    /// The timeout holds for the handshake too.
    private static func connect(_ endpoint: Endpoint, _ timeout: Duration) async throws -> ClientSession {
        let connecting = Task {
            try await ClientSession.connect(to: endpoint.address, token: endpoint.token, timeout: timeout)
        }
        let timer = Task {
            try await Task.sleep(for: timeout)
            connecting.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            do {
                return try await connecting.value
            } catch is CancellationError {
                try Task.checkCancellation()
                throw ClientFailure.cannotConnect("it did not answer within \(timeout)")
            }
        } onCancel: {
            connecting.cancel()
        }
    }

    private static let hello: JSON = [
        "protocol": 1, "client": ["name": "bridgehead-conformance", "version": "1"],
        "page": [
            "url": "about:blank", "title": "", "isMainFrame": true, "documentId": "conformance", "userAgent": "",
        ],
    ]

    /// nil: it failed, or did not come.
    private static func answer(
        of session: ClientSession, _ event: String, _ payload: JSON?, _ timeout: Duration
    ) async throws -> JSON? {
        let request = Task { try await session.request(event, payload) }
        let timer = Task {
            try await Task.sleep(for: timeout)
            request.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await request.result
        } onCancel: {
            request.cancel()
        }
        try Task.checkCancellation()
        switch result {
        case .success(let answer): return answer
        case .failure(let failure as ClientFailure): throw failure
        case .failure: return nil
        }
    }
}

extension JSON {
    /// As an answer to `conformance.profiles`: the names, if it is a list of such.
    var claimedProfiles: [String]? {
        let names = array?.compactMap(\.string)
        return names?.count == array?.count ? names : nil
    }
}

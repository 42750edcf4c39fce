import BridgeJSON

/// Which vectors are run over which endpoints, in order, and which are not and why.
package struct Plan: Sendable {
    package enum Entry: Sendable {
        case run(Job)
        case skip(Vector, reason: String)

        package var vector: Vector {
            switch self {
            case .run(let job): job.vector
            case .skip(let vector, _): vector
            }
        }
    }

    package private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - vectors: those that are wanted.
    ///   - target: where each is run.
    package init(_ vectors: [Vector], timeout: Duration, on target: (Vector) -> Target) {
        for vector in vectors {
            let target = target(vector)
            let all = target.endpoints.filter { !vector.drains || $0.drain != nil }
            guard !all.isEmpty else {
                entries.append(.skip(vector, reason: "the target cannot be told to drain"))
                continue
            }
            let endpoints = Self.endpoints(for: vector, among: all)
            guard !endpoints.isEmpty else {
                entries.append(.skip(vector, reason: Self.reason(vector, target.endpoints)))
                continue
            }
            switch Self.limit(of: vector, on: target, timeout: timeout) {
            case .success(let limit):
                entries += endpoints.map { .run(Job(vector: vector, endpoint: $0, limit: limit)) }
            case .failure(let reason):
                entries.append(.skip(vector, reason: reason.reason))
            }
        }
    }

    package mutating func shuffle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        entries.shuffle(using: &random)
    }

    private static func endpoints(for vector: Vector, among endpoints: [Endpoint]) -> [Endpoint] {
        switch vector.medium {
        case .messages:
            endpoints.filter { endpoint in
                endpoint.hasSessions || !vector.needsSession && !vector.steps.contains(where: \.isAboutConnection)
            }.filter { endpoint in
                endpoint.label == "ws" || vector.path == nil && !vector.steps.contains(where: \.needsWebSocket)
            }
        // The one or the other names the same server.
        case .http:
            Array(
                (endpoints.filter { $0.label == "http" } + endpoints.filter(\.isWeb)).prefix(1)
                    .filter { ($0.token != nil) == vector.needsToken }
                    .compactMap { endpoint in vector.address.map(endpoint.at) ?? endpoint })
        case .websocket: Array((endpoints.filter { $0.label == "ws" } + endpoints.filter(\.isWeb)).prefix(1))
        case .lines: endpoints.filter { !$0.isWeb }
        }
    }

    private static func reason(_ vector: Vector, _ endpoints: [Endpoint]) -> String {
        switch vector.medium {
        case .messages where endpoints.allSatisfy({ !$0.hasSessions }): "it needs a session, which HTTP does not have"
        case .messages, .websocket: "it needs WebSocket"
        case .http where !endpoints.contains(where: \.isWeb): "it needs HTTP"
        case .http where vector.needsToken: "it needs a target that asks for a token"
        case .http where vector.address != nil: "it needs a target on a loopback address"
        case .http: "the target asks for a token"
        case .lines: "it needs the lines transport"
        }
    }

    private static func limit(
        of vector: Vector, on target: Target, timeout: Duration
    ) -> Result<Int?, StepFault> {
        guard let name = vector.limit else { return .success(nil) }
        guard let told = target.limits[name], let limit = TestedLimit(name, told) else {
            return .failure(StepFault("the target does not tell its limit \(name)"))
        }
        // Those pings come one interval after the other.
        if name == "unansweredPings" {
            guard let told = target.limits["pingInterval"], let interval = TestedLimit("pingInterval", told),
                interval.fits(timeout / (limit.value + 1))
            else {
                return .failure(
                    StepFault("its limit unansweredPings takes pingInterval so often, which does not fit in \(timeout)")
                )
            }
        }
        guard limit.fits(timeout) else {
            return .failure(StepFault("its limit \(name), \(told.text), does not fit in \(timeout)"))
        }
        return .success(limit.value)
    }
}

extension Step {
    fileprivate var needsWebSocket: Bool {
        switch self {
        case .hangUp(.close): true
        case .repeat(let steps, _): steps.contains(where: \.needsWebSocket)
        default: false
        }
    }
}

import BridgeDevTools

/// Why a browser does not do what it should.
package struct BrowserFailure: Error, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ failure: DevToolsFailure) {
        switch failure {
        case .refused(_, _, let message): reason = message
        case .detached, .crashed, .ended, .cancelled: reason = failure.description
        }
    }

    static let cancelled = BrowserFailure("the run was interrupted")
}

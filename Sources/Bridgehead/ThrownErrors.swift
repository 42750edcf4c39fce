internal import BridgeJSON
internal import BridgeWire

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension BridgeFailure {
    /// What a handler threw, by the rule for applications: its own 32-bit codes go out as they are, the protocol's and
    /// impossible ones become −32000 with the code in `data.code`, any other error is −32000 with its text.
    init(thrownByHandler error: any Error) {
        guard let failure = error as? BridgeFailure else {
            self.init(verbatim: error)
            return
        }
        let protocolsOwn = (-32768 ... -32000).contains(failure.code) || failure.code == Code.cancelled
        if Int32(exactly: failure.code) != nil, !protocolsOwn {
            self = failure
            return
        }
        var data: JSONObject = [:]
        if case .object(let members) = failure.data {
            data = members
        } else if let other = failure.data {
            data["data"] = other
        }
        data["code"] = .number(JSONNumber(failure.code))
        self.init(Code.handlerFailed, failure.message, data: .object(data))
    }

    /// A failure as it is; any other error as −32000 with its text.
    init(verbatim error: any Error) {
        switch error {
        case let failure as BridgeFailure:
            self = failure
        case let error as any LocalizedError:
            self.init(Code.handlerFailed, error.errorDescription ?? String(describing: error))
        default:
            self.init(Code.handlerFailed, String(describing: error))
        }
    }
}

internal import BridgeJSON
internal import BridgeWire

// All of it: that errors of Cocoa's describe themselves is not among the essentials.
internal import Foundation

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
        default:
            self.init(Code.handlerFailed, Self.text(of: error))
        }
    }

    private static func text(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        // The descriptions of Cocoa's errors are dumps for developers, with paths in them.
        if error is any CustomNSError || type(of: error) is NSError.Type { return error.localizedDescription }
        return String(describing: error)
    }
}

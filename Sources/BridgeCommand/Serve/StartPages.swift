import BridgeServer
import BridgeSockets

/// Where browsers find the start page.
struct StartPages {
    /// On this machine; nil when only an address of the network is listened on. The shell and the pages have one host
    /// name: browsers keep storage by it.
    let local: String?
    /// On other devices.
    let network: [String]
    /// The one to open.
    let first: String

    /// - Parameter token: told in the URLs; nil when it is not to be shown, or there is none.
    init(_ options: ServeOptions, port: UInt16, token: String?) {
        func url(_ host: String) -> String { "http://\(host):\(port)/" + (token.map { "?token=\($0)" } ?? "") }
        let address = options.isExposed ? options.address : nil
        let isOnNetworkOnly = address.map { !$0.isWildcard } ?? false
        network = address.map { $0.reachable.map { url($0.hostInURL) } } ?? []
        local = isOnNetworkOnly ? nil : url("localhost")
        first = local ?? network.first ?? url("localhost")
    }
}

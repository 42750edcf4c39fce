import BridgeSockets

/// The sockets that a configuration asks for, bound.
struct ListeningPlaces {
    private(set) var web: [Listener] = []
    private(set) var lines: [Listener] = []
    /// Whether it was wanted and the machine has none.
    private(set) var lacksIPv6 = false
    let addresses: BridgeServer.Addresses

    init(_ configuration: BridgeServer.Configuration, on loop: EventLoop) throws(BridgeServer.StartFailure) {
        // An empty list means loopback, and so does the name.
        var hosts: [SocketAddress?] = []
        for host in configuration.hosts.isEmpty ? ["localhost"] : configuration.hosts {
            hosts.append(try Self.address(host, configuration))
        }
        var port = configuration.port
        var linesPort: UInt16?
        do throws(SocketError) {
            for host in hosts {
                if let host {
                    let listener = try Listener(host.with(port: port), on: loop)
                    port = listener.address.port ?? port
                    web.append(listener)
                } else {
                    let pair = try LoopbackListeners(port: port, on: loop)
                    port = pair.port
                    web += pair.all
                    lacksIPv6 = pair.ipv6 == nil
                }
            }
            if let wanted = configuration.linesPort {
                let pair = try LoopbackListeners(port: wanted, on: loop)
                linesPort = pair.port
                lines += pair.all
            }
            if let path = configuration.unixPath { lines.append(try Listener(.unix(path: path), on: loop)) }
        } catch {
            throw BridgeServer.StartFailure(error)
        }
        addresses = BridgeServer.Addresses(
            port: port, web: web.map { "\($0.address)" }, linesPort: linesPort, unixPath: configuration.unixPath)
    }

    /// nil for `localhost`.
    private static func address(
        _ host: String, _ configuration: BridgeServer.Configuration
    ) throws(BridgeServer.StartFailure) -> SocketAddress? {
        if host == "localhost" { return nil }
        guard let address = SocketAddress(literal: host, port: 0) else {
            throw .cannotListen("\(host) is neither an address nor localhost")
        }
        guard address.isLoopback || configuration.token?.isEmpty == false else { throw .tokenNeeded(host: host) }
        return address
    }
}

extension SocketAddress {
    /// As it stands in a URL: an IPv6 address in brackets.
    package var hostInURL: String {
        if case .ipv6 = self { "[\(host)]" } else { host }
    }
}

extension BridgeServer.StartFailure {
    init(_ error: SocketError) {
        self =
            switch error {
            case .addressInUse(.unix(let path)): .unixPathInUse(path)
            case .addressInUse(let address): .portInUse(address.port ?? 0)
            default: .cannotListen("\(error)")
            }
    }
}

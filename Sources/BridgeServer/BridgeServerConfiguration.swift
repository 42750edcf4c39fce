public import Bridgehead
import Foundation

extension BridgeServer {
    /// Where a server listens, whom it lets in and what it serves. The defaults are those of `bridgehead serve`, which
    /// has the conformance service too.
    public struct Configuration: Sendable {
        /// 0 asks for any port that is free on every host.
        public var port: UInt16 = 7357
        /// Addresses to listen on, or `localhost`, which an empty list means too: 127.0.0.1, and ::1 where the machine
        /// has it. Anything that is not loopback needs a ``token``.
        public var hosts: [String] = []
        /// A port for the lines transport, on loopback; 0 asks for any. nil: none.
        public var linesPort: UInt16?
        /// The path of a Unix-domain socket for the lines transport. nil: none.
        public var unixPath: String?
        /// The folder that pages are served from. nil: the bundled pages.
        public var root: String?
        /// What is too much; see ``BridgeLimits``.
        public var limits = BridgeLimits()
        /// Origins beside the server's own and those on loopback, such as `https://app.example.test`, or `null`. What is
        /// no origin allows nothing.
        public var allowedOrigins: [String] = []
        /// Host names beside the loopback ones, without a port. What is no name allows nothing.
        public var allowedHosts: [String] = []
        /// What every request has to bring. nil: nothing.
        public var token: String?
        /// How long requests in flight have, once draining has begun.
        public var drainTimeout: Duration = .seconds(5)
        /// Whether the events of the conformance service are registered (PROTOCOL.md, section 11).
        public var servesConformance = false
        /// What went wrong, a line each: an event nobody handles, an answer or progress that could not be sent, a second
        /// answer. Called from any thread. Written to standard error unless set.
        public var warn: @Sendable (_ line: String) -> Void = { line in
            try? FileHandle.standardError.write(contentsOf: Data("bridgehead: \(line)\n".utf8))
        }
        /// The pages' texts, by their paths; goes before ``root``.
        package var pages: [String: String]?
        /// What is served below `/_bridge/` beside the bridge itself.
        package var sites: [MountedSite] = []
        /// Goes before ``warn``.
        package var log: BridgeLog?
        /// Sees every message.
        package var traffic: BridgeLog.Traffic?
        /// Whether the server may keep a thread to itself, which is fastest. Dispatch has some sixty: where many servers
        /// run at once, in tests, they are not to take them all.
        package var occupiesThread = true

        /// Loopback, port 7357, the bundled pages, the defaults of every limit.
        public init() {}

        var bridgeLog: BridgeLog {
            let gate = LogGate()
            var all =
                log
                ?? BridgeLog(minimum: .warning) { [warn] level, message, fields in
                    let passes = gate.passes { warn(LogLine.text(level: .warning, message: $0, fields: [])) }
                    guard passes else { return }
                    warn(LogLine.text(level: level, message: message, fields: LogLine.shortened(fields)))
                }
            all.traffic = traffic
            return all
        }
    }

    /// Where a server came to listen.
    public struct Addresses: Sendable, Hashable {
        /// The one port number of HTTP and WebSocket, on every address.
        public let port: UInt16
        /// As text: `127.0.0.1:7357`, `[::1]:7357`.
        public let web: [String]
        /// The port of the lines transport, if it was asked for.
        public let linesPort: UInt16?
        /// The path of the Unix-domain socket, if it was asked for.
        public let unixPath: String?
    }

    /// Why a server does not start: a matter of its configuration.
    public enum StartFailure: Error, Hashable, Sendable, CustomStringConvertible {
        case portInUse(UInt16)
        case unixPathInUse(String)
        case cannotListen(String)
        case rootIsNoFolder(String)
        case tokenNeeded(host: String)
        case startedBefore

        public var description: String {
            switch self {
            case .portInUse(let port): "port \(port) is in use"
            case .unixPathInUse(let path): "\(path) is in use, or no socket"
            case .cannotListen(let reason): "cannot listen: \(reason)"
            case .rootIsNoFolder(let path): "\(path) is no folder that can be read"
            case .tokenNeeded(let host): "listening on \(host), which others can reach, needs a token"
            case .startedBefore: "a server starts once"
            }
        }
    }
}

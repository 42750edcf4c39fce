internal import BridgeClient
internal import BridgeHTTP
internal import BridgeServer

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Finds out from a page's head what a browser does not tell: why a frame stays blank.
enum FramingCheck {
    enum Verdict: Hashable, Sendable {
        case fine
        /// By that field.
        case refused(String)
        /// Nobody answers there.
        case unreachable(String)
        /// Not asked, or not answered in time.
        case unknown
    }

    private static let redirects = 5

    /// Only http on loopback is asked: that is where the pages are that somebody works on, and nobody else is told.
    static func verdict(on url: URL, in shell: URL, timeout: Duration = .seconds(3)) async -> Verdict {
        var url = url
        guard let shell = FrameRules.Origin(shell.absoluteString) else { return .unknown }
        for _ in 0...redirects {
            guard url.scheme?.lowercased() == "http", url.isOnLoopback,
                let page = FrameRules.Origin(url.absoluteString),
                let port = page.port.flatMap(UInt16.init(exactly:))
            else { return .unknown }
            let host = page.host.hasPrefix("[") ? String(page.host.dropFirst().dropLast()) : page.host
            let head: HTTPResponseHead
            do throws(ClientFailure) {
                head = try await HTTPHeadRequest.head(
                    host: host.hasSuffix(".localhost") ? "localhost" : host, port: port,
                    authority: port == 80 ? page.host : "\(page.host):\(port)", target: target(of: url),
                    timeout: timeout)
            } catch {
                if case .cannotConnect(let reason) = error { return .unreachable(reason) }
                return .unknown
            }
            if (301...308).contains(head.status), let location = head.fields["Location"],
                let next = URL(string: location, relativeTo: url)?.absoluteURL
            {
                url = next
                continue
            }
            return FrameRules(fields: head.fields, page: page).refusal(of: shell).map { .refused($0) } ?? .fine
        }
        return .unknown
    }

    private static func target(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    }
}

extension URL {
    /// Whether its host only ever means this machine.
    var isOnLoopback: Bool {
        guard let host = host(percentEncoded: false)?.lowercased() else { return false }
        return LoopbackName.contains(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)
    }
}

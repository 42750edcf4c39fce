import Bridgehead
import Foundation

extension ServerProcess {
    /// What it holds once nobody is connected to it, and handlers have come to their end. Waits until that is what it held
    /// before, as long as it may take.
    func rest(like before: Rest? = nil) -> Rest {
        var rest = Rest()
        var fewest = Int.max
        // Counted, not timed: a minute, and longer where this process comes to nothing either.
        for round in 0..<600 {
            rest = held() ?? rest
            // The connection of an earlier question may still be among them.
            fewest = min(fewest, rest.descriptors)
            if rest.isQuiet, before.map({ fewest <= $0.descriptors }) ?? (round >= 20) { break }
            Thread.sleep(forTimeInterval: 0.1)
        }
        rest.descriptors = fewest
        if let memory = ask("soak.memory") {
            rest.heap = memory["heap"]?.int.map { $0 >> 10 }
            rest.resident = figures?.resident
        }
        return rest
    }

    private func held() -> Rest? {
        let descriptors = figures?.descriptors ?? 0
        guard let pending = ask("soak.pending"),
            let health = exchange("GET /_bridge/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        else { return nil }
        var rest = Rest()
        rest.sessions = health["sessions"]?.int ?? -1
        rest.handlers = pending["handlers"]?.int ?? -1
        rest.calls = pending["calls"]?.int ?? -1
        rest.pages = pending["pages"]?.int ?? -1
        rest.descriptors = descriptors
        return rest
    }

    private func ask(_ event: String) -> JSON? {
        let body = "{\"eventName\":\"\(event)\",\"requestId\":1}"
        let head = "POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        return exchange("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")?["response"]
    }

    /// One request over HTTP, on a connection of its own.
    private func exchange(_ request: String) -> JSON? {
        guard let wire = Wire(port: port, cut: nil, hasSmallBuffer: false) else { return nil }
        defer { wire.finish(breaking: false) }
        let framing = Framing(.http)
        wire.write(Array(request.utf8))
        var answer: JSON?
        for _ in 0..<Patience.seconds where answer == nil && wire.end == nil {
            wire.pump(.seconds(1)) { bytes in
                var reply: [UInt8] = []
                framing.read(bytes, reply: &reply) { event in
                    guard case .answer(_, let body) = event else { return }
                    answer = body.withUnsafeBytes { try? JSON(parsing: $0, maximumDepth: 100) }
                }
            }
        }
        return answer
    }
}

import BridgeJSON
import Foundation

/// A target over the lines transport that says what it is, or does not, and answers everything else with blank lines
/// without end.
final class FloodingTarget: Sendable {
    let port: Int
    /// Set once more of a flood was taken than the buffers between hold: somebody reads it.
    let isRead = Latch<Void>()
    private let listener: Int32
    private let introduces: Bool

    init(introducesItself introduces: Bool) throws {
        self.introduces = introduces
        // Who is flooded leaves in the middle of it.
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Darwin)
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw Tool.Missing(description: "this machine has no loopback") }
        port = Int(UInt16(bigEndian: address.sin_port))
        let (isRead, introduces) = (isRead, introduces)
        Thread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread { Self.serve(connection, introduces, isRead) }.start()
            }
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ connection: Int32, _ introduces: Bool, _ isRead: Latch<Void>) {
        defer { close(connection) }
        var input: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            while let end = input.firstIndex(of: 10) {
                guard introduces, let answer = introduction(input[..<end]) else { return flood(connection, isRead) }
                input.removeFirst(end + 1)
                guard write(connection, answer, answer.count) > 0 else { return }
            }
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            input += buffer[..<count]
        }
    }

    private static func introduction(_ question: ArraySlice<UInt8>) -> [UInt8]? {
        let answers: [String: JSON] = ["conformance.profiles": ["core"], "$/hello": [:]]
        guard let message = try? JSON(parsing: Array(question)), let name = message["eventName"]?.string,
            let id = message["requestId"], let answer = answers[name]
        else { return nil }
        return Array((JSON.object(["requestId": id, "response": answer]).text + "\n").utf8)
    }

    private static func flood(_ connection: Int32, _ isRead: Latch<Void>) {
        let part = [UInt8](repeating: 10, count: 1 << 16)
        var total = 0
        while case let count = write(connection, part, part.count), count > 0 {
            total += count
            if total > 1 << 25 { isRead.set(()) }
        }
    }
}

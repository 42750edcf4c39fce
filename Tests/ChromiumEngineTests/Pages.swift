import BridgeHTTP
import BridgeSockets
import Foundation
import Synchronization

/// A web server on a free port of this machine, which says for each path what the test wants said, and notes what it is
/// asked. A path of which nothing was said is a page whose title is the path.
final class Pages: Sendable {
    struct Answer: Sendable {
        var status = 200
        var fields: [(name: String, value: String)] = [("Content-Type", "text/html; charset=utf-8")]
        var body = ""
        var end = End.whole

        enum End: Sendable {
            case whole
            /// Nothing is said until the test says what (``Pages/release(_:with:)``).
            case pending
            /// All but the end, which comes with ``Pages/release(_:with:)``: the body of what is given there.
            case open
            /// The connection ends before as much has come as was promised.
            case cut
            /// The body is all that is sent, and no answer of HTTP's but for what it says itself.
            case raw
        }

        static func page(_ title: String, _ body: String = "", status: Int = 200) -> Answer {
            Answer(status: status, body: "<!doctype html><title>\(title)</title>\(body)")
        }

        static func redirect(_ location: String, status: Int = 302) -> Answer {
            Answer(status: status, fields: [("Location", location)])
        }

        static func of(_ type: String, _ body: String = "") -> Answer {
            Answer(fields: [("Content-Type", type)], body: body)
        }

        static func raw(_ text: String) -> Answer { Answer(body: text, end: .raw) }

        static let noContent = Answer(status: 204, fields: [])
        static let pending = Answer(end: .pending)

        static func open(_ title: String, _ body: String = "") -> Answer {
            var answer = page(title, body)
            answer.end = .open
            return answer
        }

        static func cut(_ title: String, _ body: String = "") -> Answer {
            var answer = page(title, body)
            answer.end = .cut
            return answer
        }
    }

    struct Request: Hashable, Sendable, CustomStringConvertible {
        let method: String
        let path: String
        let fields: [String: String]
        let body: String

        var description: String { "\(method) \(path)\(body.isEmpty ? "" : " [\(body)]")" }
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [Request] = []
        var waiting: [String: [PagesConnection]] = [:]
        var waiters: [(isDone: @Sendable (State) -> Bool, resume: @Sendable () -> Void)] = []

        /// Whoever waits for what has come.
        mutating func due() -> [@Sendable () -> Void] {
            let all = waiters
            waiters = all.filter { !$0.isDone(self) }
            return all.filter { $0.isDone(self) }.map(\.resume)
        }
    }

    let port: UInt16
    private let loop: EventLoop
    private let state = Mutex(State())

    init() throws {
        loop = try EventLoop(.sources)
        let listeners = try LoopbackListeners(port: 0, on: loop)
        port = listeners.port
        for listener in listeners.all {
            listener.start { [weak self] socket in
                let connection = PagesConnection(socket, self)
                connection.assumeIsolated { $0.start() }
            }
        }
    }

    deinit { loop.stop() }

    /// - Parameter host: `localhost` is another origin than `127.0.0.1`, and the same server.
    func url(_ path: String, host: String = "127.0.0.1") -> URL {
        URL(string: "http://\(host):\(port)\(path)") ?? URL(filePath: path)
    }

    /// What is said for a path from now on.
    subscript(path: String) -> Answer {
        get { state.withLock { $0.answers[path] } ?? .page(path) }
        set { state.withLock { $0.answers[path] = newValue } }
    }

    /// What was asked, in order; browsers ask for an icon by themselves.
    var requests: [Request] { state.withLock { $0.requests.filter { $0.path != "/favicon.ico" } } }

    /// As one line.
    var log: String { requests.map(\.description).joined(separator: ", ") }

    /// Returns when so many requests for that path have come.
    func requested(_ path: String, times: Int = 1) async {
        await wait { $0.requests.count { $0.path == path } >= times }
    }

    /// Ends what waits for a path, or is open there; waits for somebody to ask for it first.
    func release(_ path: String, with answer: Answer = .page("")) async {
        await wait { $0.waiting[path]?.isEmpty == false }
        let connections = state.withLock { $0.waiting.removeValue(forKey: path) } ?? []
        for connection in connections {
            loop.execute { connection.assumeIsolated { $0.finish(answer) } }
        }
    }

    private func wait(for isDone: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let due = state.withLock { state in
                state.waiters.append((isDone, { continuation.resume() }))
                return state.due()
            }
            for resume in due { resume() }
        }
    }

    fileprivate func answer(_ request: Request) -> Answer {
        let (answer, due) = state.withLock { state in
            state.requests.append(request)
            return (state.answers[request.path] ?? .page(request.path), state.due())
        }
        for resume in due { resume() }
        return answer
    }

    fileprivate func isWaiting(_ connection: PagesConnection, for path: String) {
        let due = state.withLock { state in
            state.waiting[path, default: []].append(connection)
            return state.due()
        }
        for resume in due { resume() }
    }
}

/// One request, and its answer.
private actor PagesConnection: StreamSocketOwner {
    private let socket: StreamSocket
    private weak var pages: Pages?
    private var parser = HTTPRequestParser()
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isOpen = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { socket.loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, _ pages: Pages?) {
        self.socket = socket
        self.pages = pages
    }

    func start() { socket.start(owner: self) }

    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        var input = UnsafeRawBufferPointer(bytes)
        while true {
            switch parser.next(&input) {
            case .head(let head): self.head = head
            case .body(let part): body += part
            case .end: return answer()
            case .needMore: return
            case .failure:
                // To whoever speaks TLS this is no answer.
                socket.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
                return socket.closeAfterFlush()
            }
        }
    }

    private func answer() {
        guard let head, let pages else { return socket.close() }
        var fields: [String: String] = [:]
        for field in head.fields { fields[field.name.lowercased()] = field.value }
        let path = head.target.path
        let request = Pages.Request(
            method: head.method.rawValue, path: path + (head.target.query.map { "?\($0)" } ?? ""), fields: fields,
            body: String(decoding: body, as: UTF8.self))
        let answer = pages.answer(request)
        switch answer.end {
        case .pending: pages.isWaiting(self, for: request.path)
        case .whole: finish(answer)
        case .cut:
            send(answer, length: answer.body.utf8.count + 1000)
            socket.closeAfterFlush()
        case .raw:
            socket.write(Array(answer.body.utf8))
            socket.closeAfterFlush()
        case .open:
            send(answer, length: nil)
            isOpen = true
            pages.isWaiting(self, for: request.path)
        }
    }

    func finish(_ answer: Pages.Answer) {
        guard !socket.isClosed else { return }
        if isOpen { socket.write(Array(answer.body.utf8)) } else { send(answer, length: answer.body.utf8.count) }
        socket.closeAfterFlush()
    }

    private func send(_ answer: Pages.Answer, length: Int?) {
        var text = "HTTP/1.1 \(answer.status) \(HTTPStatus.reason(answer.status))\r\nConnection: close\r\n"
        for field in answer.fields { text += "\(field.name): \(field.value)\r\n" }
        if let length, answer.status != 204 { text += "Content-Length: \(length)\r\n" }
        socket.write(Array((text + "\r\n" + answer.body).utf8))
    }

    func socketDidEndInput() {}
    func socketDidDrain() {}
    func socketDidClose(_ reason: SocketCloseReason) {}
}

import BridgeHTTP
import BridgeSockets

extension ClientSession {
    /// The loop of all sessions of this process; it costs no thread while nothing happens.
    static let sharedLoop: Result<EventLoop, SocketError> = Result { () throws(SocketError) in
        try EventLoop(.sources)
    }

    /// Connects, and waits until messages can be sent.
    ///
    /// - Parameters:
    ///   - token: what a server asks for that others can reach; sent over HTTP and WebSocket.
    ///   - timeout: for making the connection to one address.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    package static func connect(
        to endpoint: ClientEndpoint, token: String? = nil, timeout: Duration = .seconds(10)
    ) async throws -> ClientSession {
        var fields = HTTPFields()
        if let token { fields.append("Authorization", "Bearer \(token)") }
        let codec: any ClientCodec
        let socket: StreamSocket
        do throws(SocketError) {
            let loop = try sharedLoop.get()
            switch endpoint {
            case .webSocket(let host, let port, let authority, let target):
                codec = WebSocketCodec(authority: authority, target: target, fields: fields)
                socket = try await StreamSocket.connect(host: host, port: port, on: loop, timeout: timeout)
            case .http(let host, let port, let authority, let target):
                codec = HTTPCodec(authority: authority, target: target, fields: fields)
                socket = try await StreamSocket.connect(host: host, port: port, on: loop, timeout: timeout)
            case .lines(let host, let port):
                codec = LinesCodec()
                socket = try await StreamSocket.connect(host: host, port: port, on: loop, timeout: timeout)
            case .unix(let path):
                codec = LinesCodec()
                socket = try await StreamSocket.connect(to: .unix(path: path), on: loop, timeout: timeout)
            }
        } catch {
            throw ClientFailure.cannotConnect("\(error)")
        }
        let session = ClientSession(loop: socket.loop, codec: codec)
        try await session.open(socket)
        return session
    }

    private func open(_ socket: StreamSocket) async throws {
        let failure: ClientFailure? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(socket) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            Task { await self.abort() }
        }
        try Task.checkCancellation()
        if let failure { throw failure }
    }
}

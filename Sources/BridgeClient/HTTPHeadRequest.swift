package import BridgeHTTP
package import BridgeSockets

/// What a server says of a page before the page itself: status and fields of the answer to a `GET`, whose body is not read.
package actor HTTPHeadRequest: StreamSocketOwner {
    private let socket: StreamSocket
    private var parser = HTTPResponseParser(answering: .get)
    private var continuation: CheckedContinuation<Result<HTTPResponseHead, ClientFailure>, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { socket.loop.asUnownedSerialExecutor() }

    private init(_ socket: StreamSocket) {
        self.socket = socket
    }

    /// - Parameters:
    ///   - host: a name or a literal without brackets.
    ///   - timeout: for making the connection, and again for the answer.
    package static func head(
        host: String, port: UInt16, authority: String, target: String, timeout: Duration
    ) async throws(ClientFailure) -> HTTPResponseHead {
        let socket: StreamSocket
        do throws(SocketError) {
            let loop = try ClientSession.sharedLoop.get()
            socket = try await StreamSocket.connect(host: host, port: port, on: loop, timeout: timeout)
        } catch {
            throw .cannotConnect("\(error)")
        }
        var output: [UInt8] = []
        do throws(HTTPFailure) {
            let fields: HTTPFields = ["Accept": "text/html", "Sec-Fetch-Dest": "iframe", "Connection": "close"]
            try HTTPRequest(.get, target, authority: authority, fields: fields).append(to: &output)
        } catch {
            socket.close()
            throw .refused(error.reason)
        }
        return try await HTTPHeadRequest(socket).run(output, timeout).get()
    }

    private func run(_ output: [UInt8], _ timeout: Duration) async -> Result<HTTPResponseHead, ClientFailure> {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            socket.start(owner: self)
            socket.write(output)
            socket.loop.after(timeout) {
                self.assumeIsolated { $0.finish(.failure(.connectionLost("no answer came in time"))) }
            }
        }
    }

    private func finish(_ result: Result<HTTPResponseHead, ClientFailure>) {
        continuation?.resume(returning: result)
        continuation = nil
        socket.close()
    }

    package func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        var input = UnsafeRawBufferPointer(bytes)
        switch parser.next(&input) {
        case .head(let head): finish(.success(head))
        case .failure(let failure): finish(.failure(.refused(failure.reason)))
        case .needMore, .body, .end: break
        }
    }

    package func socketDidEndInput() { finish(.failure(.connectionLost("the server ended the connection"))) }

    package func socketDidDrain() {}

    package func socketDidClose(_ reason: SocketCloseReason) {
        finish(.failure(.connectionLost("the connection ended")))
    }
}

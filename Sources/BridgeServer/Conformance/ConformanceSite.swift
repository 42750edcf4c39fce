import BridgeHTTP
package import BridgeSockets

/// What a conformance run serves: the files below `/_bridge/conformance/`, the place to send a result to, and, where a
/// page is tested, the other end of its sockets.
package struct ConformanceSite: Sendable {
    /// The name that a result is posted to.
    static let result = "result"

    /// The contents of a file, by its name; nil when there is none. An empty name is the index.
    package var file: @Sendable (_ name: String) -> [UInt8]?
    /// Takes a result. Returns what is wrong with it, if anything is. Called on the server's loop.
    package var take: @Sendable (_ result: [UInt8]) -> String?
    /// Takes a socket whose upgrade was answered, and what came with it, in the place of the bridge. Called on its loop.
    package var takeSocket: (@Sendable (StreamSocket, [UInt8]) -> Void)?

    package init(
        file: @escaping @Sendable (_ name: String) -> [UInt8]?,
        take: @escaping @Sendable (_ result: [UInt8]) -> String? = { _ in nil },
        takeSocket: (@Sendable (StreamSocket, [UInt8]) -> Void)? = nil
    ) {
        self.file = file
        self.take = take
        self.takeSocket = takeSocket
    }
}

extension ConformanceSite {
    func answer(_ name: String, _ request: HTTPConnection.Request) -> Answer? {
        if name == Self.result {
            guard let fault = take(request.body) else { return Answer(HTTPResponse(204)) }
            return Answer(PlainAnswers.text(400, fault))
        }
        let name = name.isEmpty ? "index.html" : name
        guard let bytes = file(name) else { return nil }
        let served = ServedFile(name: name, tag: EntityTag(contents: bytes), size: bytes.count, contents: .bytes(bytes))
        return Answer(served, to: request.head)
    }
}

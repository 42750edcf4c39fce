package import BridgeHTTP
package import BridgeSockets
package import Bridgehead

/// What is served below `/_bridge/NAME/` for a tool of ours, under the same rules of access as everything else: files, a
/// place to post results to, and a bridge of its own at `ws` and `rpc`, of which the server's knows nothing.
package struct MountedSite: Sendable {
    /// The names that sites may have. A route knows them before it is known what is mounted.
    package enum Name: String, Hashable, Sendable, CaseIterable {
        case conformance, shell
    }

    /// The name that a result is posted to.
    static let result = "result"

    package var name: Name
    /// The contents of a file, by its name; nil when there is none. An empty name is the index.
    package var file: @Sendable (_ name: String) -> [UInt8]?
    /// Go with each file.
    package var fields = HTTPFields()
    /// Takes a result. Returns what is wrong with it, if anything is. Called on the server's loop. nil: there is no such place.
    package var take: (@Sendable (_ result: [UInt8]) -> String?)?
    /// Takes a socket of the server's bridge whose upgrade was answered, and what came with it, in the place of that bridge.
    /// Called on its loop.
    package var takeSocket: (@Sendable (StreamSocket, [UInt8]) -> Void)?
    package var bridge: Bridge?

    package init(_ name: Name, file: @escaping @Sendable (_ name: String) -> [UInt8]?) {
        self.name = name
        self.file = file
    }
}

extension MountedSite {
    func answer(_ name: String, _ request: HTTPConnection.Request) -> Answer? {
        if name == Self.result {
            guard let take else { return nil }
            guard let fault = take(request.body) else { return Answer(HTTPResponse(204)) }
            return Answer(PlainAnswers.text(400, fault))
        }
        let name = name.isEmpty ? "index.html" : name
        guard let bytes = file(name) else { return nil }
        let served = ServedFile(name: name, tag: EntityTag(contents: bytes), size: bytes.count, contents: .bytes(bytes))
        var answer = Answer(served, to: request.head)
        answer.response.fields.append(contentsOf: fields)
        return answer
    }
}

import BridgeHTTP

/// An answer, and the file that makes its body when that is too large to be one.
struct Answer {
    var response: HTTPResponse
    var file: OpenFile?
    var remaining = 0

    init(_ response: HTTPResponse) { self.response = response }

    /// Bytes of a file that are read at once.
    static let chunk = 256 << 10

    /// Answers `GET` and `HEAD` of a file: 304 when the client has it, which it asks about each time.
    init(_ served: ServedFile, to request: HTTPRequestHead) {
        var fields: HTTPFields = ["ETag": served.tag.text, "Cache-Control": "no-cache"]
        guard !served.tag.isKnown(to: request.fields) else {
            self.init(HTTPResponse(304, fields))
            return
        }
        fields.append("Content-Type", ContentType.of(served.name))
        switch served.contents {
        case .bytes(let bytes):
            self.init(HTTPResponse(200, fields, body: bytes))
        case .file(let file):
            fields.append("Content-Length", String(served.size))
            self.init(HTTPResponse(200, fields))
            if request.method != .head, served.size > 0 {
                self.file = file
                remaining = served.size
            }
        }
    }
}

/// Where pages come from.
enum PageSource: Sendable {
    case bundled
    case folder(PageFolder)
    case given(GivenPages)

    func answer(_ request: HTTPRequestHead) -> Answer {
        guard let path = PagePath(request.target.path) else { return Answer(PlainAnswers.notFound) }
        let found =
            switch self {
            case .bundled: EmbeddedFiles.page(path)
            case .folder(let folder): folder.page(path)
            case .given(let pages): pages.page(path)
            }
        switch found {
        case .file(let file):
            return Answer(file, to: request)
        case .folderWithoutSlash:
            let query = request.target.query.map { "?" + $0 } ?? ""
            return Answer(PlainAnswers.text(301, "a folder", ["Location": request.target.path + "/" + query]))
        case .missing:
            return Answer(PlainAnswers.notFound)
        }
    }
}

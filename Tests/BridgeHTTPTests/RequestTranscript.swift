import BridgeHTTP
import Testing

/// What a parser said to some input, bodies joined.
enum RequestItem: Equatable, CustomStringConvertible {
    case head(String)
    case body([UInt8])
    case end
    case failure(Int)

    var description: String {
        switch self {
        case .head(let line): "head(\(line))"
        case .body(let bytes): "body(\(String(decoding: bytes, as: UTF8.self)))"
        case .end: "end"
        case .failure(let status): "failure(\(status))"
        }
    }
}

struct RequestReader {
    var parser: HTTPRequestParser
    var bodyLimit: Int?
    var items: [RequestItem] = []

    init(limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil) {
        parser = HTTPRequestParser(limits: limits)
        self.bodyLimit = bodyLimit
    }

    mutating func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var input = buffer
            while true {
                switch parser.next(&input) {
                case .needMore:
                    #expect(input.isEmpty, "a parser that needs more has taken what there was")
                    return
                case .head(let head):
                    if let bodyLimit { parser.limitBody(to: bodyLimit) }
                    items.append(.head(describe(head)))
                case .body(let part):
                    #expect(!part.isEmpty)
                    if case .body(let before) = items.last {
                        items[items.count - 1] = .body(before + part)
                    } else {
                        items.append(.body(Array(part)))
                    }
                case .end:
                    items.append(.end)
                case .failure(let failure):
                    #expect(!failure.reason.isEmpty)
                    // A dead parser stays dead and says the same.
                    if items.last != .failure(failure.status) { items.append(.failure(failure.status)) }
                    return
                }
            }
        }
    }
}

func describe(_ head: HTTPRequestHead) -> String {
    let lines = head.fields.map { "\($0.name): \($0.value)" }
    return
        ([
            "\(head.method.rawValue) \(head.target.path)\(head.target.query.map { "?\($0)" } ?? "") \(head.version.rawValue)",
            "authority=\(head.authority) body=\(head.body) keepsAlive=\(head.keepsAlive)",
        ] + lines).joined(separator: " | ")
}

/// Reads the input cut in every way, expects the same each time, and returns that.
func readRequests(
    _ bytes: [UInt8], limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) -> [RequestItem] {
    var expected: [RequestItem]?
    for pieces in cuts(of: bytes) {
        var reader = RequestReader(limits: limits, bodyLimit: bodyLimit)
        for piece in pieces { reader.feed(piece) }
        if let expected {
            #expect(reader.items == expected, "cut as \(pieces.map(\.count))", sourceLocation: sourceLocation)
        }
        expected = expected ?? reader.items
    }
    return expected ?? []
}

func readRequests(
    _ text: String, limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) -> [RequestItem] {
    readRequests(Array(text.utf8), limits: limits, bodyLimit: bodyLimit, sourceLocation: sourceLocation)
}

/// The first head of a text, which has to be there.
func head(of text: String) throws -> HTTPRequestHead {
    var parser = HTTPRequestParser()
    let bytes = Array(text.utf8)
    let event = bytes.withUnsafeBytes { buffer in
        var input = buffer
        return parser.next(&input)
    }
    guard case .head(let head) = event else { throw NoHead(event: "\(event)") }
    return head
}

struct NoHead: Error { var event: String }

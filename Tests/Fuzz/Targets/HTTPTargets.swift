import BridgeHTTP

/// What a reader of HTTP gave, with the parts of a body put together.
private enum Seen: Equatable {
    case head(String)
    case body([UInt8])
    case end
    case failure(HTTPFailure)

    static func add(_ part: UnsafeRawBufferPointer, to seen: inout [Seen]) {
        if case .body(let before) = seen.last {
            seen[seen.count - 1] = .body(before + part)
        } else {
            seen.append(.body(Array(part)))
        }
    }
}

/// Small, so that inputs of some hundred bytes reach them.
private let limits = HTTPLimits(requestLine: 64, fieldBlock: 256, fields: 10, body: 128)

extension FuzzTarget {
    static let httpRequest = FuzzTarget(name: "http-request", generate: HTTPText.requests) { bytes throws(FuzzFault) in
        _ = try requireSame(bytes) { pieces throws(FuzzFault) in
            var parser = HTTPRequestParser(limits: limits)
            var seen: [Seen] = []
            for piece in pieces {
                try read(bytes[piece], &seen) { input, seen throws(FuzzFault) in
                    switch parser.next(&input) {
                    case .needMore: return false
                    case .head(let head):
                        try requireSound(head)
                        seen.append(.head(summary(head)))
                    case .body(let part): Seen.add(part, to: &seen)
                    case .end: seen.append(.end)
                    case .failure(let failure):
                        seen.append(.failure(failure))
                        try require(parser.stage == .failed, "a failure is not the end")
                        return false
                    }
                    return true
                }
                if case .failure = seen.last { return seen }
            }
            return seen
        }
    }

    static let httpResponse = FuzzTarget(
        name: "http-response", generate: HTTPText.responses
    ) { bytes throws(FuzzFault) in
        guard let choice = bytes.first else { return }
        _ = try requireSame(Array(bytes.dropFirst())) { pieces throws(FuzzFault) in
            var parser = HTTPResponseParser(answering: choice & 3 == 0 ? .head : .get, limits: limits)
            var seen: [Seen] = []
            for piece in pieces {
                try read(bytes.dropFirst()[(piece.lowerBound + 1)..<(piece.upperBound + 1)], &seen) { input, seen in
                    switch parser.next(&input) {
                    case .needMore: return false
                    case .head(let head): seen.append(.head("\(head.status) \(head.version) \(summary(head.fields))"))
                    case .body(let part): Seen.add(part, to: &seen)
                    case .end: seen.append(.end)
                    case .failure(let failure):
                        seen.append(.failure(failure))
                        return false
                    }
                    return true
                }
                if case .failure = seen.last { return seen }
            }
            switch parser.finish() {
            case .end: seen.append(.end)
            case .failure(let failure): seen.append(.failure(failure))
            case .needMore: break
            case .head, .body: throw FuzzFault("the end of input brings what did not come")
            }
            return seen
        }
    }

    /// Calls `next` until it has taken all it can of a piece: it must take all of it, or have ended.
    private static func read(
        _ piece: ArraySlice<UInt8>, _ seen: inout [Seen],
        _ next: (inout UnsafeRawBufferPointer, inout [Seen]) throws(FuzzFault) -> Bool
    ) throws(FuzzFault) {
        let result = piece.withUnsafeBytes { buffer in
            Result { () throws(FuzzFault) in
                var input = buffer
                var steps = 0
                while try next(&input, &seen) {
                    steps += 1
                    try require(steps <= 4 * buffer.count + 8, "the reader goes on without taking anything")
                }
                if case .failure = seen.last { return }
                try require(input.isEmpty, "the reader wants more and has not taken what there is")
            }
        }
        try result.get()
        for case .body(let body) in seen { try require(body.count <= limits.body, "a body over the limit") }
    }

    private static func summary(_ head: HTTPRequestHead) -> String {
        "\(head.method.rawValue) \(head.target) \(head.version) \(head.authority) \(head.body) \(head.keepsAlive) "
            + "\(head.expectsContinue) \(head.upgrades) \(summary(head.fields))"
    }

    private static func summary(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name): \($0.value)" }.joined(separator: "|")
    }

    /// Within the limits, and what a peer would read the same way again.
    private static func requireSound(_ head: HTTPRequestHead) throws(FuzzFault) {
        try require(head.fields.count <= limits.fields, "more fields than the limit")
        _ = head.target.queryValue("t")
        for segment in head.target.path.split(separator: "/") { _ = HTTPTarget.percentDecoded(segment) }
        guard case .origin = head.target.form, head.method != .connect else { return }
        var fields = HTTPFields()
        let own = ["host", "content-length", "transfer-encoding", "expect"]
        for field in head.fields where !own.contains(field.name.lowercased()) { fields.append(field.name, field.value) }
        let target = head.target.path + (head.target.query.map { "?\($0)" } ?? "")
        let request = HTTPRequest(
            head.method, target, authority: head.authority.description, fields: fields, body: [1, 2, 3])
        var written: [UInt8] = []
        do throws(HTTPFailure) {
            try request.append(to: &written)
        } catch {
            throw FuzzFault("a request that was read cannot be written: \(error.reason)")
        }
        var parser = HTTPRequestParser()
        let again: HTTPRequestHead? = written.withUnsafeBytes { bytes in
            var input = bytes
            guard case .head(let head) = parser.next(&input) else { return nil }
            return head
        }
        guard let again else { throw FuzzFault("a request that was written cannot be read") }
        try require(
            again.method == head.method && again.target == head.target && again.body == .length(3)
                && summary(again.fields).hasSuffix(summary(fields) + "|Content-Length: 3"), "a request reads as another"
        )
    }
}

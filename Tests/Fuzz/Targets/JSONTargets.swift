import BridgeJSON

extension FuzzTarget {
    /// RFC 8259 to values and back.
    static let json = FuzzTarget(name: "json", generate: { JSONText.make(&$0) }) { bytes throws(FuzzFault) in
        let isGrammatical = JSONGrammar.accepts(bytes, maximumDepth: JSON.defaultMaximumDepth)
        guard let value = try parsed(bytes, .strict) else {
            return try require(!isGrammatical, "refused, though the grammar gives it")
        }
        try require(isGrammatical, "taken, though the grammar does not give it")
        try require(try parsed(bytes, .annotated) == value, "the annotated dialect reads another value")
        try requireStable(value)
    }

    /// The dialect of files that people write, and where in them each value stands.
    static let annotated = FuzzTarget(
        name: "annotated", generate: { JSONText.make(&$0, isAnnotated: true) }
    ) { bytes throws(FuzzFault) in
        let value = try parsed(bytes, .annotated)
        let document = try? JSONDocument(parsing: bytes)
        try require(document?.root == value, "the document is another value")
        guard let document, let value else { return }
        try requireStable(value)
        let lines = bytes.count { $0 == 0x0A } + 1
        var paths = [JSONPath([.name("nowhere"), .index(-1)])]
        if let object = value.object { paths += object.map { JSONPath([.name($0.name)]) } }
        if let array = value.array { paths += array.indices.map { JSONPath([.index($0)]) } }
        for path in paths {
            let (line, column) = document.place(of: path)
            try require((1...lines).contains(line) && (1...bytes.count).contains(column), "\(path) is nowhere")
        }
    }

    /// nil for what is refused, with an error that says where.
    private static func parsed(_ bytes: [UInt8], _ dialect: JSON.Dialect) throws(FuzzFault) -> JSON? {
        do throws(JSONError) {
            return try JSON(parsing: bytes, dialect: dialect)
        } catch {
            let isSomewhere = (0...bytes.count).contains(error.offset) && error.line >= 1 && error.column >= 1
            try require(isSomewhere && !error.description.isEmpty, "the error is nowhere: \(error)")
            return nil
        }
    }

    /// Written and read again it is the same, digits, order and lone surrogates included.
    private static func requireStable(_ value: JSON) throws(FuzzFault) {
        var writer = JSONWriter()
        writer.write(value)
        let written = writer.bytes
        try require(written.allSatisfy { $0 >= 0x20 }, "a control character is written")
        guard let again = try? JSON(parsing: written) else { throw FuzzFault("what is written is not read") }
        try require(again == value && again.hashValue == value.hashValue, "what is written reads as another value")
        try require(again.text == value.text, "written again it is another text")
        try requireExact(value)
    }

    /// Numbers are what Swift reads from the same digits.
    private static func requireExact(_ value: JSON) throws(FuzzFault) {
        var pending = [value]
        while let value = pending.popLast() {
            switch value {
            case .array(let items): pending += items
            case .object(let object): pending += object.map(\.value)
            case .number(let number):
                let double = Double(number.text).flatMap { $0.isFinite ? $0 : nil }
                try require(number.double?.bitPattern == double?.bitPattern, "\(number) is no \(number.double ?? .nan)")
                if let int = Int(number.text) { try require(number.int == int, "\(number) is not that integer") }
                if let double, let back = JSON(double) {
                    try require(back.double == double, "\(double) becomes \(back)")
                }
            case .string(let string):
                let isRead = try? JSON(parsing: JSON.string(string).text).string == string.string
                try require(isRead == true, "a string is another when it is read again")
            case .null, .bool: break
            }
        }
    }
}

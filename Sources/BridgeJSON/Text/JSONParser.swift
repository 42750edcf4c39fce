/// The parser's state: where it is in the bytes, and the containers that are open.
///
/// It keeps open containers on a stack of its own, so that deep nesting costs no stack of the thread. Only containers
/// *around* the innermost one are on it: a flat object allocates nothing but its members.
struct JSONParser {
    /// The innermost open container.
    private enum Innermost {
        case none, array, object
    }

    /// A container around the innermost one; an object with the name of the member that is being read.
    private enum Suspended {
        case array([JSON])
        case object(JSONObject, JSONString)
    }

    let bytes: UnsafeRawBufferPointer
    var offset = 0
    /// Strings with escapes are put together here.
    var scratch: [UInt8] = []

    private let maximumDepth: Int
    private let isAnnotated: Bool
    private let recordsPlaces: Bool
    /// The offset at which each value begins, a member with its name, when asked for.
    private(set) var places: [JSONPath: Int] = [:]

    private var innermost = Innermost.none
    private var items: [JSON] = []
    private var object = JSONObject()
    /// The member that is being read; `nil` while its name is.
    private var name: JSONString?
    private var outer: [Suspended] = []

    init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int, dialect: JSON.Dialect, recordsPlaces: Bool = false) {
        self.bytes = bytes
        self.maximumDepth = min(maximumDepth, JSON.highestMaximumDepth)
        self.isAnnotated = dialect == .annotated
        self.recordsPlaces = recordsPlaces
    }

    /// Parses the whole text, which must be one value.
    mutating func parse() throws(JSONError) -> JSON {
        values: while true {
            guard var value = try beginValue() else { continue }
            // The value is complete, and with it perhaps the containers that it ends.
            while innermost != .none {
                guard let container = try add(consume value) else { continue values }
                value = container
            }
            try skipSpace()
            guard offset == bytes.count else { throw fail("the text goes on after the value: found \(found)") }
            return value
        }
    }

    /// Reads a value that is no container, or an empty one; opens any other and returns `nil`.
    @inline(__always)
    private mutating func beginValue() throws(JSONError) -> JSON? {
        try skipSpace()
        if recordsPlaces, innermost != .object { places[path] = offset }
        guard offset < bytes.count else { throw fail("expected a value, found the end of the text") }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        case UInt8(ascii: "{"): return try open(.object)
        case UInt8(ascii: "["): return try open(.array)
        case UInt8(ascii: "t"): return try parse("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse("null", as: .null)
        case 0xEF where offset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]):
            throw fail("the text begins with a byte order mark")
        default: throw fail("expected a value, found \(found)")
        }
    }

    @inline(never)
    private mutating func open(_ kind: Innermost) throws(JSONError) -> JSON? {
        let depth = outer.count + (innermost == .none ? 1 : 2)
        guard depth <= maximumDepth else { throw fail("nesting is deeper than \(maximumDepth) levels") }
        offset += 1
        try skipSpace()
        let close = kind == .array ? UInt8(ascii: "]") : UInt8(ascii: "}")
        if offset < bytes.count, bytes[offset] == close {
            offset += 1
            return kind == .array ? .array([]) : .object(JSONObject())
        }
        switch innermost {
        case .none: break
        case .array:
            outer.append(.array(items))
            items = []
        case .object:
            outer.append(.object(object, name ?? ""))
            object = JSONObject()
        }
        innermost = kind
        if kind == .object {
            // A message has the envelope's members too.
            object.reserveCapacity(outer.isEmpty ? 8 : 4)
            try parseName()
        }
        return nil
    }

    /// Adds a value to the innermost container; returns that container when it ends here.
    @inline(__always)
    private mutating func add(_ value: consuming JSON) throws(JSONError) -> JSON? {
        let close: UInt8
        if innermost == .array {
            items.append(value)
            close = UInt8(ascii: "]")
        } else {
            object.set(value, for: name.take() ?? "")
            close = UInt8(ascii: "}")
        }
        try skipSpace()
        guard offset < bytes.count else { throw fail("the text ends inside \(container)") }
        if bytes[offset] == UInt8(ascii: ",") {
            offset += 1
            if isAnnotated {
                try skipSpace()
                if offset < bytes.count, bytes[offset] == close { return closeContainer() }
            }
            if innermost == .object { try parseName() }
            return nil
        }
        guard bytes[offset] == close else {
            throw fail("expected `,` or `\(Unicode.Scalar(close))`, found \(found)")
        }
        return closeContainer()
    }

    private mutating func closeContainer() -> JSON {
        offset += 1
        let value: JSON
        if innermost == .array {
            value = .array(items)
            items = []
        } else {
            value = .object(object)
            object = JSONObject()
        }
        switch outer.popLast() {
        case nil: innermost = .none
        case .array(let items):
            self.items = items
            innermost = .array
        case .object(let object, let name):
            self.object = object
            self.name = name
            innermost = .object
        }
        return value
    }

    /// Reads a member's name and the colon.
    @inline(__always)
    private mutating func parseName() throws(JSONError) {
        name = nil
        try skipSpace()
        guard offset < bytes.count else { throw fail("the text ends inside an object") }
        guard bytes[offset] == UInt8(ascii: "\"") else {
            throw fail("expected a member's name in quotes, found \(found)")
        }
        let start = offset
        name = try parseString()
        if recordsPlaces { places[path] = start }
        try skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else {
            throw fail("expected `:` after a member's name, found \(found)")
        }
        offset += 1
    }

    private mutating func parse(_ literal: StaticString, as value: JSON) throws(JSONError) -> JSON {
        let length = literal.utf8CodeUnitCount
        let isThere =
            bytes.count - offset >= length
            && literal.withUTF8Buffer { bytes[offset..<(offset + length)].elementsEqual($0) }
        guard isThere else { throw fail("expected a value, found \(found)") }
        offset += length
        return value
    }

    /// Skips white space and, in the annotated dialect, comments.
    @inline(__always)
    private mutating func skipSpace() throws(JSONError) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            case UInt8(ascii: "/") where isAnnotated: try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONError) {
        let start = offset
        let opener = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        if opener == UInt8(ascii: "/") {
            offset = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
        } else if opener == UInt8(ascii: "*") {
            offset += 2
            while offset + 1 < bytes.count {
                if bytes[offset] == UInt8(ascii: "*"), bytes[offset + 1] == UInt8(ascii: "/") {
                    offset += 2
                    return
                }
                offset += 1
            }
            offset = start
            throw fail("the comment has no end")
        } else {
            throw fail("expected a value or a comment, found \(found)")
        }
    }
}

// MARK: - Errors

extension JSONParser {
    /// The error that something is wrong at the present offset.
    func fail(_ reason: String) -> JSONError {
        JSONError(reason: reason, offset: offset, path: path, in: bytes)
    }

    /// The value that is being read.
    private var path: JSONPath {
        var elements = outer.map { container -> JSONPath.Element in
            switch container {
            case .array(let items): .index(items.count)
            case .object(_, let name): .name(name)
            }
        }
        switch innermost {
        case .none: break
        case .array: elements.append(.index(items.count))
        case .object: if let name { elements.append(.name(name)) }
        }
        return JSONPath(elements)
    }

    private var container: String { innermost == .array ? "an array" : "an object" }

    /// What is at the present offset, in words.
    var found: String {
        guard offset < bytes.count else { return "the end of the text" }
        let byte = bytes[offset]
        guard (0x21...0x7E).contains(byte) else { return "byte 0x" + String(byte, radix: 16, uppercase: true) }
        return "`\(Unicode.Scalar(byte))`"
    }
}

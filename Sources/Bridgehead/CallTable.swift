internal import BridgeJSON
internal import BridgeWire

/// The requests of this side that are not answered yet, by their id.
struct CallTable {
    struct Entry {
        let name: String
        let dialect: Dialect
        let finish: @Sendable (Result<JSON, any Error>) -> Void
        let onProgress: (@Sendable (JSON) -> Void)?
        var timer: (any BridgeTimer)?
    }

    private var entries: [UInt64: Entry] = [:]

    var count: Int { entries.count }

    subscript(id: UInt64) -> Entry? {
        get { entries[id] }
        set { entries[id] = newValue }
    }

    /// The call that a reply with this id belongs to.
    func key(of id: MessageID?) -> UInt64? {
        guard case .number(let number) = id, let key = number.int.flatMap(UInt64.init(exactly:)), entries[key] != nil
        else { return nil }
        return key
    }

    mutating func settle(_ id: UInt64) -> Entry? {
        let entry = entries.removeValue(forKey: id)
        entry?.timer?.cancel()
        return entry
    }

    /// All of them, in the order in which they were sent.
    mutating func settleAll() -> [Entry] {
        defer { entries = [:] }
        return entries.sorted { $0.key < $1.key }.map(\.value)
    }
}

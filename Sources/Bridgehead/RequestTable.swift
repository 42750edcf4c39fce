internal import BridgeJSON
internal import BridgeWire

/// The requests of the other side that are not answered yet (laws 1–3 and 11). Says what is to be done and does nothing.
struct RequestTable {
    struct Entry {
        let serial: UInt64
        let reply: ReplyAddress
        let name: JSONString
        /// The place of the answer in a batch.
        let slot: BatchTable.Slot?
        let cancellation = Cancellation()
        var task: Task<Void, Never>?
        var timer: (any BridgeTimer)?

        /// The handler's later results are not wanted.
        func stop() {
            timer?.cancel()
            cancellation.cancel()
            task?.cancel()
        }
    }

    private var entries: [UInt64: Entry] = [:]
    /// The ids in flight; those of an answered element of a batch stay until the batch goes out.
    private var ids: [MessageID: UInt64] = [:]

    var count: Int { entries.count }

    /// Whether no id is in flight, which is quicker to see than for one.
    var isIdle: Bool { ids.isEmpty }

    func isInFlight(_ id: MessageID) -> Bool {
        ids[id] != nil
    }

    func isPending(_ serial: UInt64) -> Bool {
        entries[serial] != nil
    }

    mutating func begin(_ entry: Entry) {
        entries[entry.serial] = entry
        hold(entry.reply.id, entry.serial)
    }

    /// An id of a batch counts as in flight until the batch is answered, whatever becomes of its request.
    mutating func hold(_ id: MessageID, _ serial: UInt64) {
        if id != .null { ids[id] = serial }
    }

    mutating func release(_ held: [MessageID]) {
        for id in held { ids[id] = nil }
    }

    /// False if it is settled already.
    mutating func setTask(_ task: Task<Void, Never>, of serial: UInt64) -> Bool {
        guard var entry = entries[serial] else { return false }
        entry.task = task
        entries[serial] = entry
        return true
    }

    /// Nil if it is settled already.
    mutating func settle(_ serial: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: serial) else { return nil }
        if entry.slot == nil, entry.reply.id != .null { ids[entry.reply.id] = nil }
        return entry
    }

    /// Nil if no such request is in flight.
    func serial(of id: MessageID) -> UInt64? {
        guard let serial = ids[id], entries[serial] != nil else { return nil }
        return serial
    }

    /// In the order in which they came.
    var pending: [UInt64] { entries.keys.sorted() }
}

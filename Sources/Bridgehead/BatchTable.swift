internal import BridgeJSON
internal import BridgeWire

/// JSON-RPC batches whose array has not gone out. An array holds its answers in the order of their requests.
struct BatchTable {
    struct Slot: Sendable, Hashable {
        let batch: UInt64
        let index: Int
    }

    /// An array that is to be sent, and the ids that are free then.
    struct Finished {
        var batch: UInt64
        var text: [UInt8]
        var ids: [MessageID]
    }

    private struct Batch {
        var answers: [(address: ReplyAddress, text: [UInt8]?)] = []
        var missing = 0
        var size = 0
        var open = true
    }

    /// The size of an array, in bytes, that is not exceeded (`message`).
    let limit: Int
    /// The size of all answers that wait, in bytes, that is not exceeded (`unreadOutput`).
    let waitingLimit: Int
    private var waiting = 0
    private var batches: [UInt64: Batch] = [:]
    private var lastBatch: UInt64 = 0

    init(limit: Int, waitingLimit: Int) {
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    var isEmpty: Bool { batches.isEmpty }

    func isWaiting(_ batch: UInt64) -> Bool {
        batches[batch] != nil
    }

    /// A batch whose elements are being started.
    mutating func begin() -> UInt64 {
        lastBatch += 1
        batches[lastBatch] = Batch()
        return lastBatch
    }

    /// A place for an answer that will come.
    mutating func reserve(in batch: UInt64, for address: ReplyAddress) -> Slot {
        var state = batches.removeValue(forKey: batch) ?? Batch()
        state.answers.append((address, nil))
        state.missing += 1
        let slot = Slot(batch: batch, index: state.answers.count - 1)
        batches[batch] = state
        return slot
    }

    /// Keeps an answer. One that would push the array, or all that waits, over its limit becomes −32603.
    mutating func store(_ text: [UInt8], in slot: Slot) -> Finished? {
        guard var state = batches.removeValue(forKey: slot.batch) else { return nil }
        let address = state.answers[slot.index].address
        let isTooLarge = state.size + text.count + 2 > limit || waiting + text.count > waitingLimit
        let kept = isTooLarge ? Self.tooLarge(address) : text
        state.answers[slot.index].text = kept
        state.missing -= 1
        state.size += kept.count + 1
        waiting += kept.count + 1
        return finish(state, slot.batch)
    }

    /// All elements are started.
    mutating func end(_ batch: UInt64) -> Finished? {
        guard var state = batches.removeValue(forKey: batch) else { return nil }
        state.open = false
        return finish(state, batch)
    }

    private mutating func finish(_ state: Batch, _ batch: UInt64) -> Finished? {
        guard !state.open, state.missing == 0 else {
            batches[batch] = state
            return nil
        }
        waiting -= state.size
        return Finished(batch: batch, text: text(of: state), ids: state.answers.map(\.address.id))
    }

    private func text(of batch: Batch) -> [UInt8] {
        var texts = batch.answers.map { ($0.address, $0.text ?? []) }
        guard !texts.isEmpty else { return [] }
        // Brackets, and a comma after each but the last. The failures that stand for answers too large may have
        // pushed the array over: then the last ones that are longer than such a failure become one.
        var size = texts.reduce(1) { $0 + $1.1.count + 1 }
        for index in texts.indices.reversed() where size > limit {
            let short = Self.tooLarge(texts[index].0)
            guard short.count < texts[index].1.count else { continue }
            size -= texts[index].1.count - short.count
            texts[index].1 = short
        }
        var array: [UInt8] = []
        array.reserveCapacity(size)
        for (_, text) in texts {
            array.append(array.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
            array.append(contentsOf: text)
        }
        array.append(UInt8(ascii: "]"))
        return array
    }

    /// As short as it can be.
    private static func tooLarge(_ address: ReplyAddress) -> [UInt8] {
        var writer = JSONWriter()
        writer.writeFailure(BridgeFailure(BridgeFailure.Code.internalError, "Internal error"), to: address)
        return writer.bytes
    }
}

/// Bytes of a payload that came in pieces. Owns memory only while it holds some, so that an idle connection costs
/// nothing; grows with what has arrived, never with what was announced.
struct WebSocketPayload: ~Copyable {
    private var storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private(set) var count = 0

    /// Valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ part: UnsafeRawBufferPointer) {
        guard !part.isEmpty else { return }
        let needed = count + part.count
        if needed > storage.count {
            let grown = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(needed, storage.count * 2, 256), alignment: 8)
            grown.copyMemory(from: bytes)
            storage.deallocate()
            storage = grown
        }
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: part)
        count = needed
    }

    mutating func removeAll() {
        storage.deallocate()
        storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        count = 0
    }

    deinit { storage.deallocate() }
}

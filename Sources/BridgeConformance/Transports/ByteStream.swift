/// What arrives on one connection, kept until it has been made sense of.
final class ByteStream {
    let connection: ByteConnection
    private var received: [UInt8] = []
    /// How many of those are taken.
    private var taken = 0
    /// How the target's output ended.
    private(set) var end: End?

    struct End {
        let isReset: Bool
        var isEndless = false

        var words: String {
            if isEndless { return "the target sends more than \(ByteConnection.longest) bytes at once" }
            return isReset ? "the target breaks the connection" : "the target ends its output"
        }
    }

    /// What has arrived and was not taken yet. Its indices do not begin at 0.
    var bytes: ArraySlice<UInt8> { received[taken...] }

    init(_ connection: ByteConnection) { self.connection = connection }

    /// Waits for more; false when nothing came in time, or nothing will.
    func more(_ wait: inout Wait) async -> Bool {
        guard end == nil else { return false }
        switch await connection.read(&wait) {
        case .bytes(let more):
            received.removeFirst(taken)
            taken = 0
            received += more
            if received.count > ByteConnection.longest {
                await connection.cut()
                end = End(isReset: false, isEndless: true)
            }
            return true
        case .end(let isReset):
            end = End(isReset: isReset)
            return true
        case .timedOut:
            return false
        }
    }

    func take(_ count: Int) -> [UInt8] {
        let bytes = Array(bytes.prefix(count))
        taken += bytes.count
        return bytes
    }

    /// Lets `body` take from the front of what has arrived, in place.
    func consume<Result>(_ body: (inout UnsafeMutableRawBufferPointer) -> Result) -> Result {
        received.withUnsafeMutableBytes { all in
            var input = UnsafeMutableRawBufferPointer(rebasing: all[taken...])
            defer { taken = all.count - input.count }
            return body(&input)
        }
    }
}

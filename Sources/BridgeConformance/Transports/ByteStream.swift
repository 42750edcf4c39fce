/// What arrives on one connection, kept until it has been made sense of.
final class ByteStream {
    let connection: ByteConnection
    /// What has arrived and was not taken yet.
    private(set) var bytes: [UInt8] = []
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

    init(_ connection: ByteConnection) { self.connection = connection }

    /// Waits for more; false when nothing came in time, or nothing will.
    func more(until deadline: ContinuousClock.Instant) async -> Bool {
        guard end == nil else { return false }
        switch await connection.read(until: deadline) {
        case .bytes(let more):
            bytes += more
            if bytes.count > ByteConnection.longest {
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
        let taken = Array(bytes.prefix(count))
        bytes.removeFirst(taken.count)
        return taken
    }
}

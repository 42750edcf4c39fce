/// The connections of a server, spread over slots that are pinged in turn, so that thousands are not all at once.
struct ConnectionTable {
    static let slotCount = 16

    private var slots = [[UInt64: any ServedConnection]](repeating: [:], count: slotCount)
    private var lastNumber: UInt64 = 0
    private(set) var count = 0

    /// A place that was never taken before.
    mutating func nextTicket() -> ConnectionTicket {
        lastNumber += 1
        return ConnectionTicket(slot: Int(lastNumber % UInt64(Self.slotCount)), number: lastNumber)
    }

    /// Takes the place of the connection's ticket, from another with the same one if there is such.
    mutating func insert(_ connection: any ServedConnection) {
        let ticket = connection.ticket
        if slots[ticket.slot].updateValue(connection, forKey: ticket.number) == nil { count += 1 }
    }

    mutating func remove(_ ticket: ConnectionTicket) {
        if slots[ticket.slot].removeValue(forKey: ticket.number) != nil { count -= 1 }
    }

    func connections(inSlot slot: Int) -> [any ServedConnection] { Array(slots[slot].values) }

    var all: [any ServedConnection] { slots.flatMap(\.values) }
}

/// The text of a value that is being encoded, as far as it is known. Each method is one step: the encoder that holds this
/// lets no code of an application run in between.
struct ValueText {
    enum Shape {
        case undecided, value, array, object
    }

    /// The text; before `start` what an encoder around this one has written.
    private(set) var writer = JSONWriter()
    private var start = 0
    private var shape = Shape.undecided
    /// How many members or elements there are.
    private(set) var count = 0
    private var names = SeenNames()
    private var hasRepeatedNames = false
    /// Whether the writer is with the encoder of a member or element.
    private var isLent = false
    private var isContradictory = false

    /// Where the next byte goes.
    var end: Int { writer.count }

    // MARK: Steps

    /// Says what the value is. It cannot be two things; `finish` refuses one that tries to.
    mutating func decide(_ shape: Shape) {
        if self.shape == .undecided {
            self.shape = shape
            if shape == .object { writer.write(raw: "{") }
            if shape == .array { writer.write(raw: "[") }
        } else if shape == .value {
            // It takes the place of what it was said to be before.
            writer.truncate(to: start)
        }
        if self.shape != shape || isLent { isContradictory = true }
    }

    @inline(__always)
    mutating func set(_ write: (inout JSONWriter) -> Void) {
        decide(.value)
        write(&writer)
    }

    @inline(__always)
    mutating func append(_ write: (inout JSONWriter) -> Void) {
        beginElement()
        write(&writer)
    }

    @inline(__always)
    mutating func set(_ name: String, _ write: (inout JSONWriter) -> Void) {
        beginMember(name)
        write(&writer)
    }

    @inline(__always)
    mutating func beginElement() {
        if isLent { isContradictory = true }
        if count > 0 { writer.write(raw: ",") }
        count += 1
    }

    @inline(__always)
    mutating func beginMember(_ name: String) {
        if isLent { isContradictory = true }
        if names.mayContain(adding: name) { hasRepeatedNames = true }
        writer.write(name: name, isFirst: count == 0)
        count += 1
    }

    /// False for a value that has no rule of its own.
    mutating func writeSpecial(_ value: some Any, depth: Int) throws(Mismatch) -> Bool {
        try writer.writeSpecial(value, depth: depth)
    }

    /// Takes back a member or element that could not be encoded: who catches the error may go on.
    mutating func takeBack(to end: Int) {
        writer.truncate(to: end)
        count -= 1
    }

    /// Puts texts that were written apart where they belong, the offsets in order.
    mutating func insert(_ late: [(offset: Int, text: [UInt8])]) {
        guard let first = late.first?.offset else { return }
        let written = writer.bytes
        var tail: [UInt8] = []
        for (index, (offset, text)) in late.enumerated() {
            let next = index + 1 < late.count ? late[index + 1].offset : end
            tail += text
            tail += written[offset..<next]
        }
        writer.truncate(to: first)
        writer.write(raw: tail)
    }

    /// Ends the value; `{}` when nothing was encoded. False when it tries to be two things.
    mutating func finish() -> Bool {
        switch shape {
        case .value: break
        case .array: writer.write(raw: "]")
        case .object: writer.write(raw: "}")
        case .undecided: writer.write(raw: "{}")
        }
        if hasRepeatedNames { dropRepeatedNames() }
        return !isContradictory
    }

    /// Of members with the same name the last value stays, at the place of the first, as the parser has it.
    private mutating func dropRepeatedNames() {
        let text = Array(writer.bytes[start...])
        guard let object = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth) else { return }
        writer.truncate(to: start)
        writer.write(object)
    }

    // MARK: The writer's way

    /// Begins with what another has written.
    mutating func take(_ other: inout JSONWriter) {
        swap(&writer, &other)
        start = end
    }

    mutating func giveBack(_ other: inout JSONWriter) {
        swap(&writer, &other)
    }

    /// Forgets what was written of this value.
    mutating func clear() {
        writer.truncate(to: start)
    }

    mutating func lend(to other: inout ValueText) {
        isLent = true
        other.take(&writer)
    }

    mutating func regain(from other: inout ValueText) {
        isLent = false
        other.giveBack(&writer)
    }
}

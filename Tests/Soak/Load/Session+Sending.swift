import Bridgehead

// What a session asks for.
extension Session {
    func greet() {
        ledger.greeting = ledger.records.count
        request(.hello, name: "$/hello", members: "\"protocol\":1,\"page\":{\"url\":\"http://localhost/soak\"}")
    }

    /// Some messages at once.
    func burst() {
        for _ in 0..<random.number(1...6) where isAlive && outstanding < 24 {
            switch random.number(0...99) {
            case 0..<22: echo(random.magnitude(upTo: 20_000))
            case 22..<24: echo(atLimitWithout: random.number(0...3))
            case 24..<36: request(.wait, members: ms(0...60))
            case 36..<42: request(.later, members: ms(0...60))
            case 42..<50: progress()
            case 50..<52: request(.grow, members: ms(0...20), size: 70_000, marks: .tooLarge)
            case 52..<56: request(.grow, members: ms(0...20), size: random.magnitude(upTo: 60_000))
            case 56..<60: request(.fail)
            case 60..<63: request(.forget)
            case 63..<66: request(.deadline, members: ms(0...60))
            case 66..<73: call(.ask)
            case 73..<79: notification(.note, members: "")
            case 79..<82: call(.poke)
            case 82..<84: request(.unknown, name: "soak.none")
            case 84..<86: request(.invalid, name: "soak.later", members: "\"ms\":\"soon\"")
            case 86..<88: garbage()
            case 88..<92: batch()
            case 92..<95: cancelled()
            case 95..<97: duplicate()
            case 97..<98: flood()
            case 98: request(.wait, members: ms(500...2500))
            default: request(.wait, members: ms(60...200))
            }
        }
        if random.isTrue(0.5) { takeBackAll() }
    }

    private func ms(_ range: ClosedRange<Int>) -> String { "\"ms\":\(random.number(range))" }

    private func echo(_ size: Int) {
        let number = ledger.records.count
        request(.echo, members: "\"text\":\(JSON(Text.make(number, size)).text)", size: size)
    }

    /// The message has just as many bytes as one may have, or a few less.
    private func echo(atLimitWithout few: Int) {
        let number = ledger.records.count
        let dialect = dialect
        let id = "\(number)"
        let empty = message("soak.echo", number, id, dialect, "\"text\":\"\"").utf8.count
        let size = Serve.limits.message - few - empty
        request(.echo, members: "\"text\":\(JSON(Text.make(number, size)).text)", size: size, id: id, dialect: dialect)
    }

    private func progress() {
        let number = ledger.records.count
        let count = random.number(0...12)
        // An id of its own, that progress which comes too late is told by.
        steps[number] = 0
        request(.progress, members: "\"steps\":\(count)", size: count, id: "\"p\(number)\"")
    }

    /// The handler calls the page.
    private func call(_ kind: Kind) {
        let number = ledger.records.count
        let question = question
        if kind.isNotification { notification(kind, members: question) } else { request(kind, members: question) }
        if question.contains("timeout") { ledger.records[number].marks.insert(.timed) }
    }

    /// What the page is asked, and how it will behave.
    private var question: String {
        switch random.number(0...9) {
        case 0..<4: "\"mode\":\"now\",\"text\":\"\(Text.make(ledger.records.count, random.magnitude(upTo: 5_000)))\""
        case 4..<6: "\"mode\":\"later\""
        case 6: "\"mode\":\"progress\""
        case 7: "\"mode\":\"fail\""
        case 8: "\"mode\":\"never\",\"timeout\":\(random.number(10...80))"
        default: "\"mode\":\"later\",\"timeout\":\(random.number(1...40))"
        }
    }

    private func garbage() {
        record(.garbage, id: "null")
        send("{\"eventName\":\"soak.echo\",")
    }

    private func batch() {
        var elements: [String] = []
        var ids: [String] = []
        for _ in 0..<random.number(1...6) {
            let number = ledger.records.count
            switch random.number(0...5) {
            case 0:
                record(.note)
                elements.append(message("soak.note", number, nil, .jsonRPC, ""))
                continue
            case 1: elements.append(message("soak.wait", number, add(.wait, &ids), .jsonRPC, ms(0...50)))
            case 2: elements.append(message("soak.fail", number, add(.fail, &ids), .jsonRPC, ""))
            case 3: elements.append(message("soak.none", number, add(.unknown, &ids), .jsonRPC, ""))
            case 4: elements.append(message("soak.forget", number, add(.forget, &ids), .jsonRPC, ""))
            default:
                sizes[number] = 40
                let text = JSON(Text.make(number, 40)).text
                elements.append(message("soak.echo", number, add(.echo, &ids), .jsonRPC, "\"text\":\(text)"))
            }
        }
        if !ids.isEmpty { batches.append(ids) }
        send("[\(elements.joined(separator: ","))]")
    }

    private func add(_ kind: Kind, _ ids: inout [String]) -> String {
        let id = newID()
        record(kind, id: id)
        ids.append(id)
        return id
    }

    /// A request that would take long, and is taken back later.
    private func cancelled() {
        // Over HTTP nothing can be taken back but with the connection.
        guard plan.transport != .http else { return }
        let number = ledger.records.count
        let id = newID()
        request(.wait, members: "\"ms\":20000", id: id)
        cancellable.append((id, number))
    }

    func takeBackAll() {
        for (id, number) in cancellable where isAlive {
            ledger.records[number].marks.insert(.cancelled)
            if random.isTrue(0.5) {
                send(message("$/cancelRequest", nil, nil, dialect, "\"id\":\(id)"))
            } else {
                request(.cancel, name: "$/cancelRequest", members: "\"id\":\(id)")
            }
        }
        cancellable = []
    }

    /// The second is refused, unless the first is answered already.
    private func duplicate() {
        guard plan.transport != .http else { return }
        let id = newID()
        request(.wait, members: ms(20...80), id: id)
        let number = ledger.records.count
        request(
            .echo, members: "\"text\":\(JSON(Text.make(number, 20)).text)", size: 20, id: id, marks: .duplicate)
    }

    /// More than may be in flight.
    private func flood() {
        guard plan.transport != .http else { return }
        for _ in 0..<40 { request(.wait, members: ms(10...40)) }
    }

    // MARK: Messages

    private var dialect: Dialect { random.isTrue(plan.rpcShare) ? .jsonRPC : .event }

    /// Numbers and strings, and ids that were in use before.
    private func newID() -> String {
        let number = ledger.records.count
        if !freeIDs.isEmpty, random.isTrue(0.3) {
            return freeIDs.remove(at: random.number(0...freeIDs.count - 1))
        }
        return random.isTrue(0.5) ? "\(number)" : "\"\(number)\""
    }

    func request(
        _ kind: Kind, name: String? = nil, members: String = "", size: Int? = nil, id: String? = nil,
        dialect: Dialect? = nil, marks: Record.Marks = []
    ) {
        let number = ledger.records.count
        let id = id ?? newID()
        sizes[number] = size
        var members = members
        if kind == .grow, let size { members += ",\"size\":\(size)" }
        record(kind, id: id, marks)
        let isOwn = kind == .hello || kind == .cancel
        send(message(name ?? "soak.\(kind)", isOwn ? nil : number, id, dialect ?? self.dialect, members))
    }

    func notification(_ kind: Kind, members: String) {
        let number = ledger.records.count
        record(kind)
        send(message("soak.\(kind)", number, nil, dialect, members))
    }

    /// In the ledger before it is sent.
    private func record(_ kind: Kind, id: String? = nil, _ marks: Record.Marks = []) {
        let number = ledger.records.count
        ledger.records.append(Record(kind, marks))
        guard let id else { return }
        pending[id, default: []].append(number)
        owners[id] = number
        outstanding += 1
    }

    /// - Parameter number: nil for the protocol's own.
    private func message(
        _ name: String, _ number: Int?, _ id: String?, _ dialect: Dialect, _ members: String
    ) -> String {
        let own = number.map { "\"s\":\"\(ledger.tag)\",\"n\":\($0)" } ?? ""
        let payload = own.isEmpty || members.isEmpty ? own + members : own + "," + members
        switch dialect {
        case .event:
            let address = id.map { "\"requestId\":\($0)," } ?? ""
            return "{\(address)\"eventName\":\"\(name)\"\(payload.isEmpty ? "" : ",")\(payload)}"
        case .jsonRPC:
            let address = id.map { ",\"id\":\($0)" } ?? ""
            return "{\"jsonrpc\":\"2.0\",\"method\":\"\(name)\",\"params\":{\(payload)}\(address)}"
        }
    }

    func send(_ text: String) {
        if plan.transport == .http { posts += 1 }
        wire.write(framing.wrap(Array(text.utf8), &random))
    }
}

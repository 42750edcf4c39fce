/// Whether the ledgers of both sides agree.
package struct Comparison: Sendable {
    /// What does not agree, a line each.
    package private(set) var faults: [String] = []
    package private(set) var tally = Tally()

    /// - Parameter servers: how many have run; each has written its last line.
    package init(_ sessions: [SessionLedger], _ server: ServerLedger, servers: Int) {
        faults = server.faults
        if server.ended != servers { faults.append("\(server.ended) of \(servers) servers have drained") }
        var others = server.sessions
        for session in sessions {
            compare(session, others.removeValue(forKey: session.tag) ?? ServerLedger.Session())
        }
        for (tag, session) in others.sorted(by: { $0.key < $1.key }) {
            faults.append("\(tag): nobody sent what was executed: \(session.executed)")
        }
    }

    private mutating func compare(_ session: SessionLedger, _ other: ServerLedger.Session) {
        tally.count(session)
        faults += session.faults.map { "\(session.tag) \(session.transport): \($0)" }
        if case .broken(let reason) = session.end {
            faults.append("\(session.tag) \(session.transport): ended in a way that nothing explains: \(reason)")
        }
        let execution = execution(session, other)
        for number in session.records.indices { judge(number, session, execution) }
        for (number, call) in other.calls { judge(call, number, session, execution) }
        for (number, call) in session.calls where other.calls[number] == nil && call.count > 0 {
            report("the page was called, and the server knows of no call", number, session)
        }
    }

    private mutating func report(_ what: String, _ number: Int, _ session: SessionLedger) {
        var line = "\(session.tag) \(number): \(what) ("
        if session.records.indices.contains(number) {
            let record = session.records[number]
            line +=
                "\(record.kind), answered \(record.answer.map { "\($0), draining \(record.draining)" } ?? "never"); "
        }
        faults.append(line + "\(session.transport), ended: \(session.end))")
    }

    // MARK: Execution

    private struct Execution {
        /// How often, by number.
        var times: [Int]
        /// The latest message that was.
        var last = -1
    }

    /// Nothing is executed that was not sent, nothing twice, and nothing before what was sent earlier.
    private mutating func execution(_ session: SessionLedger, _ other: ServerLedger.Session) -> Execution {
        var execution = Execution(times: Array(repeating: 0, count: session.records.count))
        for number in other.executed {
            guard session.records.indices.contains(number), session.records[number].kind.isExecuted else {
                report("executed, and nobody asked for that", number, session)
                continue
            }
            execution.times[number] += 1
            if execution.times[number] > 1 {
                report("executed twice", number, session)
            } else if number < execution.last {
                report("executed after \(execution.last), which was sent later", number, session)
            }
            execution.last = max(execution.last, number)
        }
        return execution
    }

    // MARK: Messages

    private mutating func judge(_ number: Int, _ session: SessionLedger, _ execution: Execution) {
        let record = session.records[number]
        let times = execution.times[number]
        tally.count(record, times: times)
        for further in record.further { report("answered twice, then with \(further)", number, session) }
        guard !record.kind.isNotification else {
            if record.answer != nil { report("a notification was answered", number, session) }
            // Messages are taken in order, and nothing refuses a notification.
            if times == 0, number < execution.last || session.end == .settled {
                report("a notification was left out", number, session)
            }
            return
        }
        switch record.answer {
        case nil:
            switch session.end {
            case .settled: report("left pending", number, session)
            case .drained(wasRead: true) where times > 0:
                report("executed by a server that drained, and not answered", number, session)
            case .left, .cut, .stalled, .drained, .broken: break
            }
        case .wrong(let text): report("answered wrongly: \(text)", number, session)
        case .result:
            let canHaveOne = ![Kind.fail, .forget, .unknown, .invalid, .garbage].contains(record.kind)
            if !canHaveOne { report("it cannot have a result", number, session) }
            if times != (record.kind.isExecuted ? 1 : 0) {
                report("answered, executed \(times) times", number, session)
            }
        case .failure(let code):
            guard let wanted = executions(of: record, failing: code) else {
                let isTooEarly = code == -32800 && record.draining == .begun
                return report(isTooEarly ? "cancelled before the drain timeout" : "it cannot fail so", number, session)
            }
            if times != wanted { report("failed, executed \(times) times", number, session) }
        }
    }

    /// How often a request is executed that fails with this code; nil when it cannot.
    private func executions(of record: Record, failing code: Int) -> Int? {
        switch (code, record.kind) {
        case (4001, .fail), (-32003, .forget), (-32001, .deadline): 1
        case (-32603, .grow) where record.marks.contains(.tooLarge): 1
        case (-32800, _) where record.kind.isAsynchronous && record.marks.contains(.cancelled): 1
        // The end of draining, for what is still at work: whoever hears of it earlier was not waited for.
        case (-32800, _) where record.kind.isAsynchronous && record.draining == .timedOut: 1
        case (-32000, _) where record.kind != .garbage && record.draining != .notBegun: 0
        case (-32600, _) where record.marks.contains(.duplicate): 0
        case (-32008, _) where record.kind.isExecuted: 0
        case (-32601, .unknown), (-32602, .invalid), (-32700, .garbage): 0
        default: nil
        }
    }

    // MARK: Calls to the page

    private mutating func judge(
        _ call: ServerLedger.PageCall, _ number: Int, _ session: SessionLedger, _ execution: Execution
    ) {
        guard session.records.indices.contains(number), execution.times[number] > 0 else {
            return report("a handler called the page that did not run", number, session)
        }
        guard call.begun == 1, call.outcomes.count == 1, let outcome = call.outcomes.first else {
            let what = call.outcomes.isEmpty ? "left pending" : "settled twice"
            return report("a call to the page is \(what): \(call)", number, session)
        }
        tally.count(call: outcome)
        let record = session.records[number]
        let seen = session.calls[number] ?? SessionLedger.PageCall()
        if seen.count > 1 { report("a call reached the page twice", number, session) }
        if let told = seen.told, told != outcome {
            report("a call to the page ended with \(outcome), and its handler told \(told)", number, session)
        }
        // It was told over the connection, which had thus not ended.
        if record.answer == .result, outcome == "-32005" || outcome == "-32004" && !session.hasHalfClosed {
            report("a call to the page ended with \(outcome) while the page was there", number, session)
        }
        let isRight =
            switch outcome {
            case "ok": seen.reply == .result
            case "4002": seen.reply == .failure
            // The page may say nothing, or too late.
            case "-32001": record.marks.contains(.timed)
            // Taken back with the request that it served.
            case "cancelled": record.kind == .ask && record.answer != .result
            case "-32006": seen.count == 0 && !hasGreeted(session, before: number)
            case "-32005": session.goodbye != .none
            case "-32004": session.goodbye != .agreed || session.wasDrained
            default: false
            }
        if !isRight { report("a call to the page ended with \(outcome), \(seen)", number, session) }
    }

    /// Whether it surely has: a server that drains refuses that too, and the answer may be lost.
    private func hasGreeted(_ session: SessionLedger, before number: Int) -> Bool {
        guard let greeting = session.greeting, greeting < number else { return false }
        return session.records[greeting].answer == .result
    }
}

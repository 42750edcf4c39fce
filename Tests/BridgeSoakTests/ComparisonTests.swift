import BridgeSoak
import Testing

/// The comparison finds what it is for: each fault planted alone into ledgers that agree.
@Suite struct ComparisonTests {
    /// A session of ten messages, everything answered, and what its server wrote.
    private struct Ledgers {
        var session = SessionLedger(tag: "1.1", transport: .webSocket)
        var server = """
            x 1.1 1
            x 1.1 2
            x 1.1 3
            x 1.1 4
            c 1.1 4
            r 1.1 4 ok
            x 1.1 5
            c 1.1 5
            r 1.1 5 -32005
            x 1.1 6
            x 1.1 8
            e 0 0 0

            """

        init() {
            let answers: [(Kind, Record.Marks, Answer?)] = [
                (.hello, [], .result), (.echo, [], .result), (.fail, [], .failure(4001)), (.note, [], nil),
                (.ask, [], .result), (.poke, [], nil), (.wait, .cancelled, .failure(-32800)),
                (.echo, .duplicate, .failure(-32600)), (.wait, [], .result), (.unknown, [], .failure(-32601)),
            ]
            for (kind, marks, answer) in answers {
                var record = Record(kind, marks)
                if let answer { record.take(answer) }
                session.records.append(record)
            }
            session.greeting = 0
            session.goodbye = .agreed
            session.end = .settled
            var call = SessionLedger.PageCall()
            (call.count, call.reply, call.told) = (1, .result, "ok")
            session.calls[4] = call
        }

        var faults: [String] {
            var ledger = ServerLedger()
            ledger.read(Array(server.utf8))
            return Comparison([session], ledger, servers: 1).faults
        }

        mutating func remove(answerOf number: Int) {
            session.records[number] = Record(session.records[number].kind, session.records[number].marks)
        }

        mutating func replace(_ line: String, _ other: String) { server.replace("\(line)\n", with: other) }
    }

    private func expect(
        _ part: String, _ plant: (inout Ledgers) -> Void, at location: SourceLocation = #_sourceLocation
    ) {
        var ledgers = Ledgers()
        plant(&ledgers)
        let faults = ledgers.faults
        #expect(faults.contains { $0.contains(part) }, "\(faults)", sourceLocation: location)
    }

    @Test func ledgersThatAgreeHaveNoFault() {
        #expect(Ledgers().faults == [])
    }

    @Test func executedTwice() {
        expect("1.1 1: executed twice") { $0.replace("x 1.1 1", "x 1.1 1\nx 1.1 1\n") }
        expect("1.1 3: executed twice") { $0.replace("x 1.1 8", "x 1.1 8\nx 1.1 3\n") }
    }

    @Test func answeredTwice() {
        expect("1.1 1: answered twice") { $0.session.records[1].take(.result) }
        expect("1.1 6: answered twice") { $0.session.records[6].take(.result) }
        expect("1.1 3: a notification was answered") { $0.session.records[3].take(.result) }
    }

    @Test func leftPending() {
        expect("1.1 8: left pending") { $0.remove(answerOf: 8) }
        expect("1.1 0: left pending") { $0.remove(answerOf: 0) }
        expect("1.1 4: a call to the page is left pending") { $0.replace("r 1.1 4 ok", "") }
        expect("left pending by a server") { $0.replace("e 0 0 0", "e 1 0 0\n") }
        expect("left pending by a server") { $0.replace("e 0 0 0", "e 0 0 1\n") }
        expect("0 of 1 servers") { $0.replace("e 0 0 0", "") }
    }

    /// A server that drains waits for what is in flight, and refuses nothing before it drains.
    @Test func draining() {
        let early = [
            (8, -32800, Draining.begun, "cancelled before the drain timeout"), (8, -32800, .notBegun, "cannot fail so"),
            (1, -32800, .timedOut, "cannot fail so"), (8, -32000, .notBegun, "cannot fail so"),
            (8, -32800, .timedOut, ""), (6, -32800, .notBegun, ""),
        ]
        for (number, code, draining, message) in early {
            var ledgers = Ledgers()
            ledgers.remove(answerOf: number)
            if number == 6 { ledgers.session.records[number].marks.insert(.cancelled) }
            ledgers.session.records[number].take(.failure(code), draining)
            let faults = ledgers.faults
            if message.isEmpty {
                #expect(faults == [])
            } else {
                #expect(faults.count == 1 && faults[0].hasPrefix("1.1 \(number): ") && faults[0].contains(message))
            }
        }
        var refused = Ledgers()
        refused.remove(answerOf: 8)
        refused.session.records[8].take(.failure(-32000), .begun)
        refused.replace("x 1.1 8", "")
        #expect(refused.faults == [])
    }

    /// The page that is told of its own loss is there.
    @Test(arguments: ["-32004", "-32005"]) func lostWhileThePageWasThere(outcome: String) {
        expect("ended with \(outcome) while the page was there") {
            $0.replace("r 1.1 4 ok", "r 1.1 4 \(outcome)\n")
            $0.session.calls[4]?.told = outcome
            $0.session.goodbye = .said
        }
    }

    /// Neither a failure's other code nor one that says nothing of a loss.
    @Test(arguments: ["-32000", "-32001", "-32003", "-32603", "-32800", "4001", "wrong"])
    func lostWithAnotherCode(outcome: String) {
        expect("1.1 5: a call to the page ended with \(outcome)") {
            $0.replace("r 1.1 5 -32005", "r 1.1 5 \(outcome)\n")
        }
    }

    @Test func lostWithoutACode() {
        expect("nothing explains") { $0.session.end = .broken("reset") }
        expect("1.1 8: executed by a server that drained, and not answered") {
            $0.remove(answerOf: 8)
            $0.session.end = .drained(wasRead: true)
        }
    }

    @Test func lostWhereItMayBe() {
        for end in [SessionLedger.End.cut, .left, .stalled, .drained(wasRead: false)] {
            var ledgers = Ledgers()
            ledgers.session.end = end
            ledgers.remove(answerOf: 8)
            ledgers.remove(answerOf: 9)
            ledgers.replace("x 1.1 8", "")
            #expect(ledgers.faults == [])
        }
    }

    @Test func aCallBeforeTheGreetingWasTaken() {
        var ledgers = Ledgers()
        ledgers.session.end = .cut
        ledgers.remove(answerOf: 0)
        ledgers.replace("r 1.1 5 -32005", "r 1.1 5 -32006\n")
        #expect(ledgers.faults == [])
    }

    @Test func outOfOrder() {
        expect("1.1 2: executed after 3") { $0.replace("x 1.1 2\nx 1.1 3", "x 1.1 3\nx 1.1 2\n") }
    }

    @Test func leftOut() {
        expect("1.1 3: a notification was left out") {
            $0.replace("x 1.1 3", "")
            $0.session.end = .cut
        }
        expect("1.1 1: answered, executed 0 times") { $0.replace("x 1.1 1", "") }
        expect("1.1 2: failed, executed 0 times") { $0.replace("x 1.1 2", "") }
    }

    @Test func executedAndNotSent() {
        expect("1.1 10: executed, and nobody asked") { $0.replace("x 1.1 8", "x 1.1 8\nx 1.1 10\n") }
        expect("1.1 9: executed, and nobody asked") { $0.replace("x 1.1 8", "x 1.1 8\nx 1.1 9\n") }
        expect("2.1: nobody sent what was executed") { $0.replace("x 1.1 8", "x 1.1 8\nx 2.1 1\n") }
    }

    @Test func refusedAndExecuted() {
        expect("1.1 7: failed, executed 1 times") { $0.replace("x 1.1 6", "x 1.1 6\nx 1.1 7\n") }
    }

    @Test func theWrongAnswer() {
        expect("1.1 8: answered wrongly: text") {
            $0.remove(answerOf: 8)
            $0.session.records[8].take(.wrong("text"))
        }
        let codes = [(1, -32800), (1, -32000), (1, 4001), (2, -32003), (6, -32004), (8, -32001), (9, -32602)]
        for (number, code) in codes {
            expect("1.1 \(number): it cannot fail so") {
                $0.remove(answerOf: number)
                $0.session.records[number].take(.failure(code))
            }
        }
        expect("1.1 2: it cannot have a result") {
            $0.remove(answerOf: 2)
            $0.session.records[2].take(.result)
        }
    }

    @Test func callsToThePage() {
        expect("1.1 4: a call to the page is settled twice") { $0.replace("r 1.1 4 ok", "r 1.1 4 ok\nr 1.1 4 ok\n") }
        expect("1.1 4: a call reached the page twice") { $0.session.calls[4]?.count = 2 }
        expect("1.1 4: a call to the page ended with ok") { $0.session.calls[4]?.reply = .failure }
        expect("1.1 4: a call to the page ended with 4002") {
            $0.replace("r 1.1 4 ok", "r 1.1 4 4002\n")
            $0.session.calls[4]?.told = "4002"
        }
        expect("and its handler told") { $0.session.calls[4]?.told = "4002" }
        expect("1.1 5: a call to the page ended with -32004") { $0.replace("r 1.1 5 -32005", "r 1.1 5 -32004\n") }
        expect("1.1 5: a call to the page ended with -32005") { $0.session.goodbye = .none }
        expect("1.1 5: a call to the page ended with -32006") { $0.replace("r 1.1 5 -32005", "r 1.1 5 -32006\n") }
        expect("1.1 5: a call to the page ended with cancelled") {
            $0.replace("r 1.1 5 -32005", "r 1.1 5 cancelled\n")
        }
        expect("1.1 4: the page was called, and the server knows of no call") {
            $0.replace("c 1.1 4\nr 1.1 4 ok", "")
        }
        expect("1.1 1: a handler called the page that did not run") {
            $0.replace("x 1.1 1", "c 1.1 1\nr 1.1 1 ok\n")
        }
    }

    @Test func linesThatAreBroken() {
        for line in ["x 1.1", "x 1.1 one", "y 1.1 1", "r 1.1 4", "c 1.1 4 ok", "e", "e 0"] {
            expect("") { $0.server += "\(line)\n" }
        }
    }
}

import Bridgehead

// What comes is judged on the spot.
extension Session {
    func receive(_ text: [UInt8]) {
        guard let json = text.withUnsafeBytes({ try? JSON(parsing: $0, maximumDepth: 100) }) else {
            return fault("no JSON", String(decoding: text, as: UTF8.self))
        }
        guard case .array(let elements) = json else { return take(json) }
        let ids = elements.map { $0["id"]?.text ?? "none" }
        if let index = batches.firstIndex(of: ids) {
            batches.remove(at: index)
        } else {
            fault("an array that is no batch's, in its order", json.text)
        }
        elements.forEach(take)
    }

    private func fault(_ what: String, _ text: String) {
        ledger.faults.append("\(what): \(text.prefix(300))")
    }

    private func take(_ message: JSON) {
        if let name = (message["eventName"] ?? message["method"])?.string {
            return take(name, message["params"] ?? message, message)
        }
        guard let id = message["requestId"] ?? message["id"] else { return fault("no message", message.text) }
        if let value = message["progress"] {
            progressed(id.text, value)
        } else {
            answered(id.text, message)
        }
    }

    private func progressed(_ id: String, _ value: JSON) {
        guard let number = pending[id]?.first, ledger.records[number].kind == .progress,
            value["step"]?.int == steps[number], value["n"]?.int == number
        else { return fault("progress that is not next", "\(id): \(value.text)") }
        steps[number, default: 0] += 1
    }

    // MARK: Answers

    private func answered(_ id: String, _ message: JSON) {
        let result = message["response"] ?? message["result"]
        let error = message["error"]
        guard let number = owner(of: id, result, error) else {
            return fault("an answer that nobody waits for", message.text)
        }
        let judgement = judge(number, result, error) ?? .wrong(String(message.text.prefix(300)))
        ledger.records[number].take(judgement, server.draining)
        guard var numbers = pending[id], let place = numbers.firstIndex(of: number) else { return }
        numbers.remove(at: place)
        outstanding -= 1
        pending[id] = numbers.isEmpty ? nil : numbers
        sizes[number] = nil
        steps[number] = nil
        if numbers.isEmpty, freeIDs.count < 16, id != "null" { freeIDs.append(id) }
    }

    /// Which of those with that id it answers: the one it names, the later of two if it says so, else the earlier.
    private func owner(of id: String, _ result: JSON?, _ error: JSON?) -> Int? {
        let waiting = pending[id] ?? []
        if let number = (result?["n"] ?? error?["data"]?["n"])?.int, owners[id] == number || waiting.contains(number) {
            return number
        }
        if error?["data"]?["duplicate"] == true { return waiting.last ?? owners[id] }
        return waiting.first ?? owners[id]
    }

    /// nil when it is not right.
    private func judge(_ number: Int, _ result: JSON?, _ error: JSON?) -> Answer? {
        if let error {
            guard result == nil, let code = error["code"]?.int, error["message"]?.string != nil else { return nil }
            switch code {
            case -32000 where error["data"]?["reason"] != "draining": return nil
            case -32600 where error["data"]?["duplicate"] != true: return nil
            case 4001 where error["data"]?["n"]?.int != number: return nil
            default: return .failure(code)
            }
        }
        guard let result else { return nil }
        let kind = ledger.records[number].kind
        switch kind {
        case .cancel: return result.isNull ? .result : nil
        case .hello: return result["session"]?.string != nil && result["protocol"] == 1 ? .result : nil
        default: break
        }
        guard result["s"]?.string == ledger.tag, result["n"]?.int == number else { return nil }
        switch kind {
        case .echo, .grow:
            guard let size = sizes[number], result["text"]?.string == Text.make(number, size) else { return nil }
        case .progress:
            // Over HTTP there is none.
            let wanted = plan.transport == .http ? 0 : sizes[number]
            guard steps[number] == wanted else { return nil }
        case .ask:
            guard let outcome = result["outcome"]?.string else { return nil }
            ledger.calls[number, default: SessionLedger.PageCall()].told = outcome
        default: break
        }
        return .result
    }

    // MARK: Calls of the server

    private func take(_ name: String, _ payload: JSON, _ message: JSON) {
        switch name {
        case "$/progress": progressed(payload["id"]?.text ?? "none", payload["value"] ?? .null)
        // What is to come later comes nevertheless, stale.
        case "$/cancelRequest": break
        case "page.work": work(payload, message)
        default: fault("an event that nobody sends", message.text)
        }
    }

    private func work(_ payload: JSON, _ message: JSON) {
        let isRPC = message["jsonrpc"] != nil
        guard payload["s"]?.string == ledger.tag, let number = payload["n"]?.int, let mode = payload["mode"]?.string,
            let id = (isRPC ? message["id"] : message["requestId"])?.text
        else { return fault("a call that is not this page's", message.text) }
        ledger.calls[number, default: SessionLedger.PageCall()].count += 1
        var result: JSONObject = [:]
        for name in ["s", "n", "mode", "text"] { result[name] = payload[name] }
        let answer =
            isRPC
            ? "{\"jsonrpc\":\"2.0\",\"result\":\(JSON.object(result).text),\"id\":\(id)}"
            : "{\"requestId\":\(id),\"response\":\(JSON.object(result).text)}"
        switch mode {
        case "never": return
        case "fail":
            ledger.calls[number]?.reply = .failure
            let error = "\"error\":{\"code\":4002,\"message\":\"As asked\"}"
            return send(isRPC ? "{\"jsonrpc\":\"2.0\",\(error),\"id\":\(id)}" : "{\"requestId\":\(id),\(error)}")
        case "later":
            deferred.append((.now + .milliseconds(random.number(1...60)), answer))
        case "progress":
            for step in 0..<3 { send("{\"requestId\":\(id),\"progress\":\(step)}") }
            send(answer)
        default: send(answer)
        }
        ledger.calls[number]?.reply = .result
    }

    func sendDeferred(_ now: ContinuousClock.Instant) {
        for (due, text) in deferred where due <= now && isAlive { send(text) }
        deferred.removeAll { $0.due <= now }
    }
}

import BridgeJSON
#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// A browser, over the DevTools protocol.
package final class PageBrowser: Sendable {
    private struct State {
        var lastID = 0
        var pending: [Int: CheckedContinuation<Result<JSON, BrowserFailure>, Never>] = [:]
        var hasEnded = false
        /// What the consoles of watched tabs show as errors, by session.
        var complaints: [JSON: [String]] = [:]
    }

    private let process: BrowserProcess
    private let state = Mutex(State())

    /// - Parameter path: nil: the first that there is in `searchPath`.
    /// - Throws: also when there is none, with what to do about it.
    package init(path: String?, searchPath: String) throws(BrowserFailure) {
        guard let path = path ?? BrowserProcess.find(searchPath: searchPath) else {
            throw BrowserFailure(
                "There is no browser of Chromium's family here: install one (Debian: apt-get install chromium), or name it "
                    + "with --browser.")
        }
        process = try BrowserProcess(path: path)
        let answers = process.answers
        // A thread of its own: it waits in read(2) for as long as the browser lives.
        DispatchQueue(label: "bridgehead.browser").async { [weak self] in
            Self.read(answers) { self?.take($0) }
            close(answers)
            self?.fail()
        }
    }

    /// Ends the browser and all its tabs. Nothing of it is left.
    package func end() {
        process.end()
        fail()
    }

    struct Tab: Sendable {
        fileprivate let browser: PageBrowser
        fileprivate let target: JSON
        fileprivate let session: JSON

        /// The value of an expression; nil for undefined and what JSON cannot say. With `awaits`, what it resolves to.
        func evaluate(_ expression: String, awaits: Bool, timeout: Duration) async throws(BrowserFailure) -> JSON? {
            let result = try await browser.command(
                "Runtime.evaluate",
                [
                    "expression": JSON(expression), "awaitPromise": .bool(awaits), "returnByValue": .bool(awaits),
                    "userGesture": true,
                ], session: session, timeout: timeout)
            if let thrown = result["exceptionDetails"] {
                throw BrowserFailure((thrown["exception"]?["description"] ?? thrown["text"])?.string ?? "it threw")
            }
            return result["result"]?["value"]
        }

        /// What its console showed as errors, if it is watched.
        var complaints: [String] { browser.state.withLock { $0.complaints[session] ?? [] } }

        func close() async {
            browser.state.withLock { _ = $0.complaints.removeValue(forKey: session) }
            _ = try? await browser.command("Target.closeTarget", ["targetId": target])
        }
    }

    func open(_ url: String) async throws(BrowserFailure) -> Tab {
        let target = try await command("Target.createTarget", ["url": JSON(url)])["targetId"] ?? .null
        let session = try await command("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        return Tab(browser: self, target: target, session: session ?? .null)
    }

    /// Opens a page of which nothing is known: its console is listened to from the start.
    ///
    /// - Throws: also when there is no such page.
    func openWatched(_ url: String, timeout: Duration) async throws(BrowserFailure) -> Tab {
        let tab = try await open("about:blank")
        do throws(BrowserFailure) {
            state.withLock { $0.complaints[tab.session] = [] }
            for domain in ["Runtime", "Log"] { _ = try await command("\(domain).enable", session: tab.session) }
            let loaded = try await command(
                "Page.navigate", ["url": JSON(url)], session: tab.session, timeout: timeout)
            if let fault = loaded["errorText"]?.string { throw BrowserFailure(fault) }
            return tab
        } catch {
            await tab.close()
            throw error
        }
    }

    // MARK: The pipe

    fileprivate func command(
        _ method: String, _ parameters: JSON = [:], session: JSON? = nil, timeout: Duration = .seconds(20)
    ) async throws(BrowserFailure) -> JSON {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        var message: JSONObject = ["id": JSON(id), "method": JSON(method), "params": parameters]
        if let session { message["sessionId"] = session }
        let text = Array(JSON.object(message).text.utf8) + [0]
        let timer = Task {
            try await Task.sleep(for: timeout)
            settle(id, .failure(BrowserFailure("the browser did not answer \(method) within \(timeout)")))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    state.pending[id] = continuation
                    return state.hasEnded || !Self.write(text, to: process.orders)
                }
                if isOver { settle(id, .failure(.ended)) }
                // The handler below may have run already, and found nothing.
                if Task.isCancelled { settle(id, .failure(.cancelled)) }
            }
        } onCancel: {
            settle(id, .failure(.cancelled))
        }.get()
    }

    private func settle(_ id: Int, _ result: Result<JSON, BrowserFailure>) {
        state.withLock { $0.pending.removeValue(forKey: id) }?.resume(returning: result)
    }

    private func take(_ text: [UInt8]) {
        guard let message = try? JSON(parsing: text) else { return }
        guard let id = message["id"]?.int else { return hear(message) }
        let failure = message["error"]?["message"]?.string
        settle(id, failure.map { .failure(BrowserFailure($0)) } ?? .success(message["result"] ?? .null))
    }

    /// An event that nobody waits for: of a watched tab it may be an error on its console.
    private func hear(_ event: JSON) {
        guard let session = event["sessionId"], let text = Complaint.text(of: event) else { return }
        state.withLock { state in
            guard let known = state.complaints[session], known.count < Complaint.most, !known.contains(text) else {
                return
            }
            state.complaints[session] = known + [text]
        }
    }

    private func fail() {
        let pending = state.withLock { state in
            state.hasEnded = true
            defer { state.pending = [:] }
            return state.pending.values.map(\.self)
        }
        for continuation in pending {
            continuation.resume(returning: .failure(.ended))
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(descriptor, buffer.baseAddress, buffer.count)
                #else
                    Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads messages, each ended by NUL, until the end of the input.
    private static func read(_ descriptor: Int32, _ take: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var message: [UInt8] = []
        while true {
            let count = buffer.withUnsafeMutableBytes { buffer in
                #if canImport(Darwin)
                    Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for part in buffer[..<count].split(separator: 0, maxSplits: .max, omittingEmptySubsequences: false)
                .enumerated()
            {
                if part.offset > 0 {
                    take(message)
                    message = []
                }
                message += part.element
            }
        }
    }
}

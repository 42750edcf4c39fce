internal import BridgeDevTools
internal import BridgeJSON
internal import PageEngines
public import PageModel

// Scripts that this side sends.
extension ChromiumWebView {
    /// See `BackingWebView.evaluateJavaScript(_:in:world:)`.
    public func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        // The page's policy about evaluation holds for what the script itself evaluates.
        let answer = try await run(script, in: frame, world, ["allowUnsafeEvalBlockedByCSP": false])
        if let details = answer["exceptionDetails"] { throw await exception(details) }
        return try await value(of: answer["result"] ?? .null)
    }

    /// See `BackingWebView.callJavaScript(_:arguments:in:world:)`.
    public func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        let arguments = try ScriptName.ordered(arguments)
        let names = arguments.map(\.name)
        let values = JSON.array(try arguments.map { try JSON(tagging: $0.value) })
        let parameters = JSON.array((names + [body]).map { JSON($0) })
        let answer = try await run(
            kit.call("call", parameters, JSON(values.text)), in: frame, world, ["awaitPromise": true])
        if let details = answer["exceptionDetails"] { throw await exception(details) }
        return try ScriptResult.value(of: answer["result"]?["value"]?.string)
    }

    /// Runs a program in the document that is there now. Where that goes before the program could begin, the next one's it is.
    private func run(
        _ expression: String, in frame: WebPageFrameInfo?, _ world: WebPageContentWorld, _ options: JSONObject
    ) async throws -> JSON {
        let frame = frame?.id == target ? nil : frame
        var params = options
        params["expression"] = JSON(expression)
        params["userGesture"] = true
        for _ in 1...Self.documentsTried {
            // The main frame's own world needs no name: one message less, and always that of the newest document.
            if frame != nil || world != .page {
                guard let context = try await context(frame?.id ?? target, world) else {
                    if frame != nil { throw WebPageError.javaScriptInvalidFrameTarget }
                    continue
                }
                params["uniqueContextId"] = JSON(context.uniqueID)
            }
            do {
                return try await send("Runtime.evaluate", .object(params))
            } catch is ScriptNotRun {
                continue
            }
        }
        throw frame == nil ? WebPageError.unreachable : WebPageError.javaScriptInvalidFrameTarget
    }

    /// A page that goes from document to document must not be followed for ever.
    private static let documentsTried = 8

    // MARK: Asking

    /// Asks something of the document's process, and returns when all that happened before the answer has been told.
    private func send(_ method: String, _ params: JSON) async throws -> JSON {
        if let why = whyNoScript { throw why }
        do {
            let answer = try await connection.send(method, params, session: session)
            await caughtUp()
            return answer
        } catch let failure as DevToolsFailure {
            await caughtUp()
            throw reason(failure)
        }
    }

    private var whyNoScript: WebPageError? { whyDead ?? (isCrashed ? .webContentProcessTerminated : nil) }

    private func reason(_ failure: DevToolsFailure) -> any Error {
        if let why = whyNoScript { return why }
        switch failure {
        case .crashed: return WebPageError.webContentProcessTerminated
        case .refused(_, _, let message):
            if Self.notRun.contains(where: message.contains) { return ScriptNotRun() }
            // What else is refused of a script is for its document having gone.
            return WebPageError.unreachable
        case .detached, .ended, .cancelled: return WebPageError.pageClosed(failure.description)
        }
    }

    /// What Chromium says when it has not run a script.
    private static let notRun = [
        "uniqueContextId not found", "Cannot find context with specified id", "Cannot find default execution context",
    ]

    // MARK: Contexts

    /// - Returns: nil where that frame has no document now.
    private func context(_ frame: String, _ world: WebPageContentWorld) async throws -> ScriptContext? {
        register(world)
        func find() -> ScriptContext? { contexts.values.first { $0.frame == frame && $0.world == world } }
        if let context = find() { return context }
        // What there is has been told before this is answered.
        do { _ = try await send("Runtime.evaluate", ["expression": "0"]) } catch is ScriptNotRun {
        } catch WebPageError.javaScriptException {}
        return find()
    }

    /// Makes a world be there in all documents, with the kit in it.
    func register(_ world: WebPageContentWorld) {
        guard worlds.insert(world).inserted else { return }
        let name = WorldName(world)
        post("Runtime.addBinding", ["name": JSON(kit.binding(of: name)), "executionContextName": JSON(name.text)])
        addScript(kit.source(of: name), world, isImmediate: true)
    }

    func contextDidBegin(_ description: JSON) {
        guard let id = description["id"]?.int, let context = ScriptContext(description) else { return }
        contexts[id] = context
    }

    func contextDidEnd(_ id: Int?) {
        if let id { contexts[id] = nil }
    }

    /// The documents that are there now were kept while the page was elsewhere.
    func documentsDidReturn() {
        for context in contexts.values where worlds.contains(context.world) {
            let names = messageHandlers.keys.filter { $0.world == context.world }.map(\.name)
            run(kit.restore(WorldName(context.world), handlers: names), in: context)
        }
    }

    /// Runs something of the kit's; nobody waits for it.
    func run(_ expression: String, in context: ScriptContext) {
        post("Runtime.evaluate", ["expression": JSON(expression), "uniqueContextId": JSON(context.uniqueID)])
    }

    // MARK: Results

    private func value(of result: JSON) async throws -> JavaScriptValue {
        guard let object = result["objectId"] else { return ScriptResult.primitive(result) }
        defer { post("Runtime.releaseObject", ["objectId": object]) }
        guard ScriptResult.mayLeave(result) else { throw WebPageError.javaScriptResultTypeIsUnsupported }
        return try ScriptResult.value(of: try await ask("encode", object))
    }

    private func exception(_ details: JSON) async -> WebPageError {
        let thrown = details["exception"] ?? .null
        var message = ScriptResult.text(thrown) ?? details["text"]?.string ?? ""
        if let object = thrown["objectId"] {
            if let text = try? await ask("describe", object) { message = String(text.dropFirst()) }
            post("Runtime.releaseObject", ["objectId": object])
        }
        let url = details["url"]?.string ?? ""
        return .javaScriptException(
            .init(
                message: message, line: (details["lineNumber"]?.int ?? -1) + 1,
                column: (details["columnNumber"]?.int ?? -1) + 1, sourceURL: url.isEmpty ? nil : url))
    }

    private func ask(_ function: String, _ object: JSON) async throws -> String? {
        do {
            let answer = try await send(
                "Runtime.callFunctionOn",
                ["functionDeclaration": JSON(kit.method(function)), "objectId": object, "returnByValue": true])
            return answer["result"]?["value"]?.string
        } catch is ScriptNotRun {
            throw WebPageError.unreachable
        }
    }
}

/// The document that it was for had gone before it began.
private struct ScriptNotRun: Error {}

// What tests need of a document's process.
extension ChromiumWebView {
    /// Lets it look for garbage at once.
    package func collectGarbage() async throws {
        _ = try await connection.send("HeapProfiler.collectGarbage", session: session)
    }

    /// Ends it, as a fault of its own does.
    package func crash() { connection.post("Page.crash", session: session) }
}

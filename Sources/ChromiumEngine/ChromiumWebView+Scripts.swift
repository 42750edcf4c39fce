internal import BridgeDevTools
internal import BridgeJSON
internal import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Scripts that this side sends.
extension ChromiumWebView {
    func contextDidBegin(_ context: JSON) {
        guard let id = context["id"]?.int, let frame = context["auxData"]?["frameId"]?.string else { return }
        if context["auxData"]?["isDefault"]?.bool == true { contexts[ScriptContext(frame: frame, world: .page)] = id }
    }

    func contextDidEnd(_ id: Int?) {
        if let id, let key = contexts.first(where: { $0.value == id })?.key { contexts[key] = nil }
    }

    /// See `BackingWebView.evaluateJavaScript(_:in:world:)`.
    public func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        var params: JSONObject = ["expression": JSON(script), "userGesture": true]
        if frame != nil || world != .page { params["contextId"] = JSON(try await context(frame, world)) }
        return try await value(of: send("Runtime.evaluate", .object(params)))
    }

    /// See `BackingWebView.callJavaScript(_:arguments:in:world:)`.
    public func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        let context = JSON(try await context(frame, world))
        let names = arguments.keys.sorted()
        var values: [JSON] = []
        for name in names { values.append(try await argument(arguments[name] ?? .undefined, context)) }
        // A line of its own, so that a comment at the body's end does not take the brace with it.
        let function = "async function(\(names.joined(separator: ",")))\u{7B}\(body)\n\u{7D}"
        return try await value(
            of: send(
                "Runtime.callFunctionOn",
                [
                    "functionDeclaration": JSON(function), "executionContextId": context, "arguments": .array(values),
                    "awaitPromise": true, "userGesture": true,
                ]), isCall: true)
    }

    private func context(_ frame: WebPageFrameInfo?, _ world: WebPageContentWorld) async throws -> Int {
        if let whyDead { throw whyDead }
        let key = ScriptContext(frame: frame?.id ?? target, world: world)
        if let id = contexts[key] { return id }
        guard world != .page else {
            throw frame == nil ? WebPageError.unreachable : WebPageError.javaScriptInvalidFrameTarget
        }
        let made = try await send(
            "Page.createIsolatedWorld", ["frameId": JSON(key.frame), "worldName": JSON(world.chromiumName)])
        guard let id = made["executionContextId"]?.int else { throw WebPageError.javaScriptInvalidFrameTarget }
        contexts[key] = id
        return id
    }

    private func send(_ method: String, _ params: JSON) async throws -> JSON {
        if let whyDead { throw whyDead }
        do {
            return try await connection.send(method, params, session: session)
        } catch DevToolsFailure.refused(_, _, let message) {
            // The document has gone, and with it whoever could have answered.
            if message.contains("context") || message.contains("navigated") || message.contains("frame") {
                throw WebPageError.unreachable
            }
            throw WebPageError.unsupported(message)
        } catch let failure as DevToolsFailure {
            throw whyDead ?? WebPageError.pageClosed(failure.description)
        }
    }

    private func argument(_ value: JavaScriptValue, _ context: JSON) async throws -> JSON {
        switch value {
        case .undefined: return [:]
        case .null: return ["value": .null]
        case .bool(let bool): return ["value": .bool(bool)]
        case .string(let string): return ["value": JSON(string)]
        case .number(let number):
            if number == 0, number.sign == .minus { return ["unserializableValue": "-0"] }
            guard let finite = JSON(number) else {
                return ["unserializableValue": number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"]
            }
            return ["value": finite]
        case .date, .array, .object:
            let made = try await send(
                "Runtime.callFunctionOn",
                [
                    "functionDeclaration": JSON(ScriptCodec.decode), "executionContextId": context,
                    "arguments": [["value": JSON(tagging: value)]],
                ])
            return ["objectId": made["result"]?["objectId"] ?? .null]
        }
    }

    /// - Parameter isCall: what an asynchronous function throws is a rejection, which has no place (as in WebKit).
    private func value(of answer: JSON, isCall: Bool = false) async throws -> JavaScriptValue {
        if let details = answer["exceptionDetails"] { throw await exception(details, hasPlace: !isCall) }
        let result = answer["result"] ?? .null
        switch result["type"]?.string {
        case "undefined", "bigint": return .undefined
        case "boolean": return .bool(result["value"]?.bool ?? false)
        case "string": return .string(result["value"]?.string ?? "")
        case "number":
            switch result["unserializableValue"]?.string {
            case "NaN": return .number(.nan)
            case "Infinity": return .number(.infinity)
            case "-Infinity": return .number(-.infinity)
            case "-0": return .number(-0.0)
            default: return .number(result["value"]?.double ?? .nan)
            }
        case "object":
            if result["subtype"]?.string == "null" { return .null }
            guard let object = result["objectId"] else { break }
            let coded = try await send(
                "Runtime.callFunctionOn",
                ["functionDeclaration": JSON(ScriptCodec.encode), "objectId": object, "returnByValue": true])
            post("Runtime.releaseObject", ["objectId": object])
            guard coded["exceptionDetails"] == nil, let text = coded["result"]?["value"]?.string,
                let json = try? JSON(parsing: Array(text.utf8), maximumDepth: JSON.highestMaximumDepth)
            else { break }
            return JavaScriptValue(tagged: json)
        default: break
        }
        throw WebPageError.javaScriptResultTypeIsUnsupported
    }

    private func exception(_ details: JSON, hasPlace: Bool) async -> WebPageError {
        let thrown = details["exception"] ?? .null
        var message = thrown["value"]?.string ?? thrown["description"]?.string ?? details["text"]?.string ?? ""
        if let object = thrown["objectId"] {
            let text = try? await send(
                "Runtime.callFunctionOn",
                ["functionDeclaration": "function(){return String(this)}", "objectId": object, "returnByValue": true])
            message = text?["result"]?["value"]?.string ?? message
        } else if let value = thrown["value"], value.string == nil {
            message = value.text
        } else if thrown["type"]?.string == "undefined" {
            message = "undefined"
        }
        guard hasPlace else { return .javaScriptException(.init(message: message)) }
        return .javaScriptException(
            .init(
                message: message, line: (details["lineNumber"]?.int ?? -1) + 1,
                column: (details["columnNumber"]?.int ?? -1) + 1, sourceURL: details["url"]?.string))
    }
}

extension WebPageContentWorld {
    var chromiumName: String {
        switch self {
        case .page: ""
        case .defaultClient: "bridgehead.default"
        case .named(let name): "app.\(name)"
        }
    }
}

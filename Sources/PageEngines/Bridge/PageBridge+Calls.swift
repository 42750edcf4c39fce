internal import BridgeJSON
internal import BridgeWire
internal import Bridgehead
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import PageModel

// What the native side asks of the page (PROTOCOL.md, section 7).
extension PageBridge {
    /// A function of the page by its path on `window`, called on what it is a member of.
    private static let callFunction = """
        let owner = window, value = window;
        for (const part of path.split(".")) { owner = value; value = value?.[part]; }
        if (typeof value !== "function") throw new TypeError(`${path} is not a function`);
        return await value.apply(owner, values);
        """

    func carryOut(_ name: String, _ payload: JSON, _ address: ReplyAddress?) {
        if name == "$/cancelRequest" {
            if let id = payload["id"].flatMap(MessageID.init) { asked.removeValue(forKey: id)?.cancel() }
            return
        }
        // Notifications tell what an app's page has no use for.
        guard let address, let page else { return }
        // The page is not held by what is asked of it: letting it go ends that too.
        asked[address.id] = Task { [weak self, weak page] in
            // The document may have gone since, and the next one is not to run its scripts.
            guard let backing = page?.backing, !Task.isCancelled else { return }
            let result: Result<JSON, BridgeFailure>
            do {
                result = .success(try await Self.answer(name, payload, backing))
            } catch {
                result = .failure(Self.failure(error))
            }
            guard let self, self.asked.removeValue(forKey: address.id) != nil else { return }
            switch result {
            case .success(let value):
                let isRead = self.send { writer in
                    writer.beginResponse(to: address)
                    writer.write(value)
                    writer.endResponse(to: address)
                }
                // An answer that cannot be read answers nothing.
                if !isRead {
                    let failure = BridgeFailure.unsupportedResult(path: JSONPath(), expected: Self.readable)
                    self.send { $0.writeFailure(failure, to: address) }
                }
            case .failure(let failure): self.send { $0.writeFailure(failure, to: address) }
            }
        }
    }

    private static let readable =
        "a value that is nothing but what a page can send, nested within the bridge's limits.nesting"

    private static func argument(_ json: JSON) throws(BridgeFailure) -> JavaScriptValue {
        if let value = JavaScriptValue(tagged: json) { return value }
        throw .invalidParams(
            path: JSONPath([.name("arguments")]),
            expected: "values nested at most \(JavaScriptValue.highestDepth) levels deep, without cycles")
    }

    private static func answer(
        _ name: String, _ payload: JSON, _ backing: any BackingWebView
    ) async throws -> JSON {
        switch name {
        case "$/page.callFunction":
            let arguments = try (payload["arguments"]?.array ?? []).map { try argument(ScriptValue.encode($0)) }
            let value = try await backing.callJavaScript(
                callFunction, arguments: ["path": .string(payload["name"]?.string ?? ""), "values": .array(arguments)],
                in: nil, world: .page)
            return try plain(value)
        case "$/page.evaluate":
            return try JSON(
                tagging: await backing.evaluateJavaScript(
                    payload["script"]?.string ?? "", in: nil, world: .page))
        case "$/page.call":
            var arguments: [String: JavaScriptValue] = [:]
            for member in payload["arguments"]?.object ?? [:] {
                arguments[member.name.string] = try argument(member.value)
            }
            return try JSON(
                tagging: await backing.callJavaScript(
                    payload["body"]?.string ?? "", arguments: arguments, in: nil, world: .page))
        case "$/page.load":
            guard let url = payload["url"]?.string.flatMap(URL.init(string:)),
                ["http", "https"].contains(url.scheme?.lowercased())
            else { throw BridgeFailure.invalidParams(path: JSONPath([.name("url")]), expected: "an http or https URL") }
            backing.load(WebPageRequest(url), as: .next())
        case "$/page.reload": _ = backing.reload(fromOrigin: false, as: .next())
        case "$/page.stop": backing.stopLoading()
        case "$/page.go":
            guard let item = backing.state.backForwardList[payload["delta"]?.int ?? 0] else { return .null }
            _ = backing.go(to: item, as: .next())
        default:
            throw BridgeFailure(
                BridgeFailure.Code.methodNotFound, "Method not found",
                data: [
                    "eventName": JSON(name), "nearest": [],
                    "help": "a page in a web view hears calls of its functions (callFunction), and no events",
                ])
        }
        return .null
    }

    private static func plain(_ value: JavaScriptValue) throws -> JSON {
        let tagged = try JSON(tagging: value)
        do throws(ScriptValue.Fault) {
            return try ScriptValue.decode(tagged, nesting: JSON.highestMaximumDepth)
        } catch {
            throw BridgeFailure.unsupportedResult(path: error.path, expected: error.expected)
        }
    }

    private static func failure(_ error: any Error) -> BridgeFailure {
        switch error {
        case let failure as BridgeFailure: return failure
        case WebPageError.javaScriptException(let exception):
            var data: JSONObject = ["message": JSON(exception.message)]
            if exception.line > 0 {
                data["line"] = JSON(exception.line)
                data["column"] = JSON(exception.column)
            }
            return BridgeFailure(BridgeFailure.Code.scriptException, exception.message, data: .object(data))
        case WebPageError.javaScriptResultTypeIsUnsupported:
            return BridgeFailure(BridgeFailure.Code.unsupportedResult, "\(error)")
        case WebPageError.webContentProcessTerminated, WebPageError.pageClosed, WebPageError.network:
            return .connectionClosed
        case is CancellationError: return .cancelled
        default: return BridgeFailure(BridgeFailure.Code.internalError, "\(error)")
        }
    }
}

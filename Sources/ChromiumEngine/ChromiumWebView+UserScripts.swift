internal import BridgeJSON
public import PageEngines
internal import PageModel

// Scripts that documents bring with them.
extension ChromiumWebView {
    /// See `BackingWebView.addUserScript(_:)`.
    public func addUserScript(_ script: WebPageUserScript) throws {
        if let whyDead { throw whyDead }
        register(script.world)
        let source = kit.userScript(
            script.source, atStart: script.injectionTime == .atDocumentStart,
            isForMainFrameOnly: script.isForMainFrameOnly, isProgram: Self.maySayGlobals(script.source))
        userScripts.append(addScript(source, script.world))
    }

    /// See `BackingWebView.removeAllUserScripts()`.
    public func removeAllUserScripts() {
        for script in userScripts { remove(script) }
        userScripts = []
    }

    /// Whether it seems to declare something at its top level: then it is evaluated as a program, where the page lets it.
    static func maySayGlobals(_ source: String) -> Bool {
        let words = ["var ", "let ", "const ", "function ", "function*", "async function", "class "]
        return source.split(whereSeparator: \.isNewline).contains { line in
            let parts = line.split(separator: ";")
            return parts.indices.contains { index in
                let part = index == 0 ? parts[index] : parts[index].drop { $0 == " " }
                return words.contains { part.hasPrefix($0) }
            }
        }
    }

    // MARK: In documents to come

    /// - Parameter isImmediate: whether it runs in the documents that are there, too.
    @discardableResult
    func addScript(_ source: String, _ world: WebPageContentWorld, isImmediate: Bool = false) -> DocumentScript {
        let script = DocumentScript()
        var params: JSONObject = ["source": JSON(source), "runImmediately": .bool(isImmediate)]
        if world != .page { params["worldName"] = JSON(WorldName(world).text) }
        post("Page.addScriptToEvaluateOnNewDocument", .object(params)) { [weak self] result in
            script.identifier = result?["identifier"]?.string
            if let done = script.removal { self?.remove(script, done) }
        }
        return script
    }

    /// - Parameter done: called when no document to come has it.
    func remove(_ script: DocumentScript, _ done: @escaping @MainActor () -> Void = {}) {
        guard let identifier = script.identifier else {
            script.removal = done
            return
        }
        post("Page.removeScriptToEvaluateOnNewDocument", ["identifier": JSON(identifier)]) { _ in done() }
    }
}

/// A script that Chromium puts into each document.
@MainActor
final class DocumentScript {
    /// nil until Chromium has told it.
    fileprivate(set) var identifier: String?
    /// What to do when it has been removed, where that was asked for before.
    fileprivate var removal: (@MainActor () -> Void)?
}

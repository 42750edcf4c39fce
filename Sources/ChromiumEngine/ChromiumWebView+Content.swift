internal import BridgeJSON
public import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ChromiumWebView {
    public func addUserScript(_ script: WebPageUserScript) throws {}
    public func removeAllUserScripts() {}
    public func addMessageHandler(
        _ name: String, world: WebPageContentWorld,
        receive: @escaping @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    ) throws {}
    public func removeMessageHandler(_ name: String, world: WebPageContentWorld) {}
}

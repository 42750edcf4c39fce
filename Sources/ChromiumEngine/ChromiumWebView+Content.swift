internal import BridgeJSON
public import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChromiumWebView {
    public func load(html: String, baseURL: URL?, as navigation: WebPageNavigation) {}
    public func addUserScript(_ script: WebPageUserScript) throws {}
    public func removeAllUserScripts() {}
    public func addMessageHandler(
        _ name: String, world: WebPageContentWorld,
        receive: @escaping @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    ) throws {}
    public func removeMessageHandler(_ name: String, world: WebPageContentWorld) {}
}

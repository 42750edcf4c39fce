internal import BridgeJSON
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where a script runs: a world in a frame's document.
struct ScriptContext: Hashable {
    let frame: String
    let world: WebPageContentWorld
    /// No other has had it or will have it.
    let uniqueID: String
    let origin: String

    /// nil: it is none of the engine's.
    init?(_ context: JSON) {
        guard let frame = context["auxData"]?["frameId"]?.string, let uniqueID = context["uniqueId"]?.string else {
            return nil
        }
        if context["auxData"]?["isDefault"]?.bool == true {
            world = .page
        } else if let world = WorldName(text: context["name"]?.string ?? "").world {
            self.world = world
        } else {
            return nil
        }
        self.frame = frame
        self.uniqueID = uniqueID
        origin = context["origin"]?.string ?? ""
    }

    var securityOrigin: WebPageSecurityOrigin {
        URL(string: origin).map { WebPageSecurityOrigin($0) } ?? WebPageSecurityOrigin()
    }
}

/// Chromium's name for a world.
struct WorldName: Hashable {
    let text: String

    init(text: String) { self.text = text }

    init(_ world: WebPageContentWorld) {
        text =
            switch world {
            case .page: ""
            case .defaultClient: "bridgehead.default"
            case .named(let name): "app.\(name)"
            }
    }

    /// nil: it is none of the app's.
    var world: WebPageContentWorld? {
        switch text {
        case "": .page
        case "bridgehead.default": .defaultClient
        default: text.hasPrefix("app.") ? .named(String(text.dropFirst("app.".count))) : nil
        }
    }
}

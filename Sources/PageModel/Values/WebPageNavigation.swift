/// One load, from being asked for to its end: what its events name.
public struct WebPageNavigation: Hashable, Sendable {
    /// Unlike that of any other navigation of this process.
    public let id: UInt64

    /// - Parameter id: one that no other has.
    public init(id: UInt64) {
        self.id = id
    }
}

/// What happens to a navigation of the main frame, in this order: started, redirected any number of times, committed,
/// finished; or failed, after the start or after the commit.
///
/// What happens within a document (a hash, `pushState`) is no navigation: see ``WebPageRepresentable/urlChanges``.
public enum WebPageNavigationEvent: Hashable, Sendable {
    /// A server is asked; the old document is still there.
    case startedProvisional(WebPageNavigation)
    /// A server sent the navigation elsewhere.
    case receivedServerRedirect(WebPageNavigation)
    /// The new document has begun: it is the page's from here on.
    case committed(WebPageNavigation)
    /// The document and its frames are loaded.
    case finished(WebPageNavigation)
    /// The old document stays.
    case failedProvisional(WebPageNavigation, WebPageError)
    /// The document stays as far as it was loaded.
    case failed(WebPageNavigation, WebPageError)
    /// The process that ran the page's script has ended. What was awaited of it fails; ``WebPageRepresentable/reload()``
    /// starts another.
    case webContentProcessTerminated

    /// Nil for what concerns the page and no navigation.
    public var navigation: WebPageNavigation? {
        switch self {
        case .startedProvisional(let navigation), .receivedServerRedirect(let navigation),
            .committed(let navigation), .finished(let navigation), .failedProvisional(let navigation, _),
            .failed(let navigation, _):
            navigation
        case .webContentProcessTerminated: nil
        }
    }
}

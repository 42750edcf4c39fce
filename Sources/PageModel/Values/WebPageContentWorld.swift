/// A set of globals in a document. Worlds share the document, and see nothing of each other's globals, nor of what each
/// adds to the document's nodes as properties.
public enum WebPageContentWorld: Hashable, Sendable {
    /// The page's own.
    case page
    /// One for the app.
    case defaultClient
    /// Others for the app: the same name is the same world.
    case named(String)
}

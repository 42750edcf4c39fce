#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One change of a page's URL. Also those that leave it equal: a reload, a second load of the same, a way back to where the
/// same URL was.
public struct WebPageURLChange: Hashable, Sendable {
    /// Why it changed.
    public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
        /// This side asked for a load; nothing has come yet.
        case load
        /// A new document, with an item of its own in the list.
        case commit
        /// A server sent the load elsewhere.
        case redirect
        /// `history.pushState`.
        case push
        /// A document or a state in the place of the current item: `history.replaceState`, `location.replace`.
        case replace
        /// A new fragment of the same document.
        case hash
        /// To another item of the list, whoever asked for it.
        case traversal
        /// The same item, loaded again.
        case reload
        /// A load came to nothing: what was committed last holds again.
        case revert
    }

    /// The URL from here on.
    public var url: URL
    /// Why it changed.
    public var cause: Cause
    /// Whether the page is there now. What is only asked for may still come to nothing, and a history has no place for it.
    public var isCommitted: Bool
    /// Of the current item in the list; nil before the first commit.
    public var index: Int?
    /// 1 for the page's first change, then one more for each.
    public var sequence: UInt64

    /// - Parameter sequence: the page numbers its changes itself.
    public init(url: URL, cause: Cause, isCommitted: Bool, index: Int?, sequence: UInt64) {
        self.url = url
        self.cause = cause
        self.isCommitted = isCommitted
        self.index = index
        self.sequence = sequence
    }
}

/// An object of `url`, `cause`, `committed`, `index` (absent before the first commit) and `sequence`.
extension WebPageURLChange: Codable {
    private enum CodingKeys: String, CodingKey {
        case url, cause
        case isCommitted = "committed"
        case index, sequence
    }
}

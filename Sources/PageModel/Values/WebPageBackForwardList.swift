#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a page has shown, at one moment.
public struct WebPageBackForwardList: Hashable, Sendable {
    /// One entry.
    public struct Item: Hashable, Sendable, Identifiable {
        /// The same in every list of the page that has this item.
        public let id: UInt64
        /// Where it leads.
        public var url: URL
        /// What was asked for, before servers sent it elsewhere.
        public var initialURL: URL
        /// Empty until the document has one.
        public var title: String

        /// - Parameter initialURL: `url` when nil.
        public init(id: UInt64, url: URL, initialURL: URL? = nil, title: String = "") {
            self.id = id
            self.url = url
            self.initialURL = initialURL ?? url
            self.title = title
        }
    }

    /// Oldest first.
    public let items: [Item]
    /// Where in ``items`` the page is; nil before the first commit.
    public let currentIndex: Int?

    /// - Parameter currentIndex: nil, or an index of `items`; any other counts as nil.
    public init(items: [Item] = [], currentIndex: Int? = nil) {
        self.items = items
        self.currentIndex = currentIndex.flatMap { items.indices.contains($0) ? $0 : nil }
    }

    /// The one that the page shows; nil before the first commit.
    public var currentItem: Item? { currentIndex.map { items[$0] } }
    /// The item that `goBack()` goes to.
    public var backItem: Item? { self[-1] }
    /// The item that `goForward()` goes to.
    public var forwardItem: Item? { self[1] }
    /// What lies before the current item, oldest first.
    public var backList: [Item] { currentIndex.map { Array(items[..<$0]) } ?? [] }
    /// What lies after the current item, nearest first.
    public var forwardList: [Item] { currentIndex.map { Array(items[($0 + 1)...]) } ?? [] }

    /// The item that far from the current one: 0 is that, −1 the one before; nil out of range.
    public subscript(offset: Int) -> Item? {
        guard let currentIndex else { return nil }
        let (index, isOver) = currentIndex.addingReportingOverflow(offset)
        return !isOver && items.indices.contains(index) ? items[index] : nil
    }
}

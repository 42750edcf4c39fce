#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
package import PageModel

/// The list of what a page has shown, with the document that each item is of.
package struct BackForwardHistory: Sendable {
    private var items: [WebPageBackForwardList.Item] = []
    private var documents: [UInt64: Int] = [:]
    private var current: Int?
    private var lastID: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: how many items are kept; the oldest go first.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    package var list: WebPageBackForwardList { WebPageBackForwardList(items: items, currentIndex: current) }

    /// Adds an item after the current one; those that came after that are gone.
    package mutating func push(_ url: URL, initialURL: URL? = nil, document: Int, title: String = "") {
        let next = (current ?? -1) + 1
        for item in items[next...] { documents[item.id] = nil }
        items.removeSubrange(next...)
        lastID += 1
        items.append(WebPageBackForwardList.Item(id: lastID, url: url, initialURL: initialURL, title: title))
        documents[lastID] = document
        if items.count > limit { documents[items.removeFirst().id] = nil }
        current = items.count - 1
    }

    /// Puts another URL, and perhaps another document, into the current item.
    package mutating func replace(_ url: URL, document: Int) {
        guard let current else { return push(url, document: document) }
        items[current].url = url
        documents[items[current].id] = document
    }

    /// Nothing is known of what the page has shown. Items to come are none of those that were there.
    package mutating func removeAll() {
        items = []
        documents = [:]
        current = nil
    }

    package mutating func setTitle(_ title: String) {
        if let current { items[current].title = title }
    }

    /// Forgets the oldest item.
    package mutating func removeFirst() {
        guard !items.isEmpty else { return }
        documents[items.removeFirst().id] = nil
        current = current.map { max($0 - 1, 0) }
    }

    /// Forgets the items after the current one.
    package mutating func removeForward() {
        let next = current.map { $0 + 1 } ?? 0
        for item in items[next...] { documents[item.id] = nil }
        items.removeSubrange(next...)
    }

    /// - Returns: whether it is in the list.
    package mutating func go(to item: WebPageBackForwardList.Item) -> Bool {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return false }
        current = index
        return true
    }

    package func document(of item: WebPageBackForwardList.Item) -> Int? { documents[item.id] }
}

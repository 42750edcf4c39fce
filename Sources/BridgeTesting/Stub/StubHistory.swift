#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import PageModel

/// The list of what a stub has shown, with the document that each item is of.
struct StubHistory {
    private var items: [WebPageBackForwardList.Item] = []
    private var documents: [UInt64: Int] = [:]
    private var current: Int?
    private var lastID: UInt64 = 0

    var list: WebPageBackForwardList { WebPageBackForwardList(items: items, currentIndex: current) }

    /// Adds an item after the current one; those that came after that are gone.
    mutating func push(_ url: URL, initialURL: URL? = nil, document: Int, title: String = "") {
        items.removeSubrange(((current ?? -1) + 1)...)
        lastID += 1
        items.append(WebPageBackForwardList.Item(id: lastID, url: url, initialURL: initialURL, title: title))
        documents[lastID] = document
        current = items.count - 1
    }

    /// Puts another URL, and perhaps another document, into the current item.
    mutating func replace(_ url: URL, document: Int) {
        guard let current else { return push(url, document: document) }
        items[current].url = url
        documents[items[current].id] = document
    }

    mutating func setTitle(_ title: String) {
        if let current { items[current].title = title }
    }

    /// - Returns: whether it is in the list.
    mutating func go(to item: WebPageBackForwardList.Item) -> Bool {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return false }
        current = index
        return true
    }

    func document(of item: WebPageBackForwardList.Item) -> Int? { documents[item.id] }
}

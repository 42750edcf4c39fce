internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The list of what a page has shown, beside the browser's own. That has entries which are none of the list's: the empty
/// document that every page begins with, and documents from a text without a base URL.
struct ChromiumHistory {
    /// Chromium keeps so many entries.
    private static let limit = 50

    private var shown = BackForwardHistory()
    /// The browser's entries, in order: which item each is; nil for none.
    private var entries: [UInt64?] = [nil]
    private var current = 0
    /// Whether frames have entries of their own, so that those of the main frame alone do not say where one is.
    private(set) var hasFrameEntries = false

    var list: WebPageBackForwardList { shown.list }

    /// Whether what is there now is an item of the list.
    var isShown: Bool { entries[current] != nil }

    func document(of item: WebPageBackForwardList.Item) -> Int? { shown.document(of: item) }

    /// How far from here an item is for the browser; nil where that has it no more.
    func offset(to item: WebPageBackForwardList.Item) -> Int? {
        entries.firstIndex(of: item.id).map { $0 - current }
    }

    mutating func push(_ url: URL, initialURL: URL? = nil, document: Int, title: String = "") {
        shown.push(url, initialURL: initialURL, document: document, title: title)
        append(shown.list.currentItem?.id)
    }

    /// A frame in the page has gone elsewhere: back is where it was, in the same document of the page.
    mutating func pushFrame(document: Int) {
        hasFrameEntries = true
        guard isShown, let item = shown.list.currentItem else { return append(nil) }
        push(item.url, initialURL: item.initialURL, document: document, title: item.title)
    }

    /// What is no item of the list has come. Chromium, unlike WebKit, forgets then what one could go forward to.
    mutating func pushHidden() {
        shown.removeForward()
        append(nil)
    }

    mutating func replace(_ url: URL, document: Int) {
        guard isShown else {
            shown.push(url, document: document)
            entries[current] = shown.list.currentItem?.id
            return
        }
        shown.replace(url, document: document)
    }

    /// What is there now is no item of the list any more, though its item is.
    mutating func hide() { entries[current] = nil }

    mutating func setTitle(_ title: String) { if isShown { shown.setTitle(title) } }

    mutating func go(to item: WebPageBackForwardList.Item) {
        guard let index = entries.firstIndex(of: item.id) else { return }
        current = index
        _ = shown.go(to: item)
    }

    /// - Parameters:
    ///   - index: in the browser's list,
    ///   - count: which has so many entries. It may have forgotten more of its oldest, and ends like this one.
    mutating func go(toEntry index: Int, of count: Int) {
        let index = entries.count - count + index
        guard entries.indices.contains(index) else { return }
        current = index
        if let item = shown.list.items.first(where: { $0.id == entries[index] }) { _ = shown.go(to: item) }
    }

    private mutating func append(_ id: UInt64?) {
        entries.removeSubrange((current + 1)...)
        entries.append(id)
        if entries.count > Self.limit, entries.removeFirst() != nil { shown.removeFirst() }
        current = entries.count - 1
    }
}

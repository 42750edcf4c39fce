#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import PageModel

/// The properties of a ``BackingWebView``, in the order in which a change of several is told beforehand; afterwards it is the
/// reverse (WebKit's PageLoadState).
public enum BackingProperty: Int, Hashable, Sendable, CaseIterable {
    case canGoBack, canGoForward, title, isLoading, url, hasOnlySecureContent, estimatedProgress, backForwardList
}

/// When a change is told.
public enum BackingNotice: Hashable, Sendable {
    /// The old values still hold.
    case prior
    /// All the new values hold, of whatever else changed with it too.
    case after
}

/// The values of a ``BackingWebView``'s properties.
public struct BackingState: Hashable, Sendable {
    /// See `WebPageRepresentable.url`.
    public var url: URL?
    /// See `WebPageRepresentable.title`.
    public var title = ""
    /// See `WebPageRepresentable.isLoading`.
    public var isLoading = false
    /// 0 to 1.
    public var estimatedProgress = 0.0
    /// See `WebPageRepresentable.hasOnlySecureContent`.
    public var hasOnlySecureContent = false
    /// See `WebPageRepresentable.backForwardList`.
    public var backForwardList = WebPageBackForwardList()

    /// Before the first load.
    public init() {}

    /// Follows from the list.
    public var canGoBack: Bool { backForwardList.backItem != nil }
    /// Follows from the list.
    public var canGoForward: Bool { backForwardList.forwardItem != nil }

    /// What differs, in the order in which it is told beforehand.
    func changes(from old: BackingState) -> [BackingProperty] {
        BackingProperty.allCases.filter { property in
            switch property {
            case .canGoBack: canGoBack != old.canGoBack
            case .canGoForward: canGoForward != old.canGoForward
            case .backForwardList: backForwardList != old.backForwardList
            case .title: title != old.title
            case .isLoading: isLoading != old.isLoading
            case .url: url != old.url
            case .hasOnlySecureContent: hasOnlySecureContent != old.hasOnlySecureContent
            case .estimatedProgress: estimatedProgress != old.estimatedProgress
            }
        }
    }
}

/// Keeps an observation alive.
@MainActor
public final class BackingObservation {
    private let cancel: @MainActor () -> Void

    /// - Parameter cancel: called once, when the observation is let go.
    public init(cancel: @escaping @MainActor () -> Void) {
        self.cancel = cancel
    }

    isolated deinit { cancel() }
}

/// The properties of a backing, and who observes them. Changes are made in transactions.
@MainActor
public final class ObservedState {
    private struct Observer {
        let id: UInt64
        let notice: @MainActor (BackingNotice) -> Void
    }

    /// The values of now.
    public private(set) var values = BackingState()
    private var observers: [BackingProperty: [Observer]] = [:]
    private var lastID: UInt64 = 0

    /// Before the first load.
    public init() {}

    /// Changes any number of properties at once: all that differ are told before, then all values change, then all are told
    /// after, in reverse. Observers may change something themselves, and that is not undone.
    ///
    /// - Parameter body: called once more after the notices before; what it sets then holds.
    public func change(_ body: (inout BackingState) -> Void) {
        var new = values
        body(&new)
        let changes = new.changes(from: values)
        guard !changes.isEmpty else { return }
        for property in changes { tell(property, .prior) }
        new = values
        body(&new)
        values = new
        for property in changes.reversed() { tell(property, .after) }
    }

    /// Tells of every change of that property, until the observation is let go.
    public func observe(
        _ property: BackingProperty, _ notice: @escaping @MainActor (BackingNotice) -> Void
    ) -> BackingObservation {
        lastID += 1
        let id = lastID
        observers[property, default: []].append(Observer(id: id, notice: notice))
        return BackingObservation { [weak self] in self?.observers[property]?.removeAll { $0.id == id } }
    }

    private func tell(_ property: BackingProperty, _ notice: BackingNotice) {
        for observer in observers[property] ?? [] {
            // One that was told before it may have let it go.
            guard observers[property]?.contains(where: { $0.id == observer.id }) == true else { continue }
            observer.notice(notice)
        }
    }
}

import PageModel

/// When a page has been looked at long enough: a machine that is told what happens, and says when that is so.
struct BrowseEnd {
    enum Outcome: Hashable, Sendable {
        case reached
        /// The first load came to nothing.
        case failed(WebPageError)
        case timedOut
        case interrupted
    }

    let end: BrowseOptions.End
    private var hasCommitted = false

    init(_ end: BrowseOptions.End) {
        self.end = end
    }

    /// What has not happened yet.
    var missing: String {
        switch end {
        case .event(let name): "The event '\(name)' did not come"
        case .seconds where !hasCommitted: "The page's first commit did not come"
        case .seconds(let duration): "The \(duration.inWords) to wait after the first commit did not pass"
        }
    }

    /// What follows from it.
    enum Step: Hashable {
        case end(Outcome)
        /// The end comes after so long.
        case wait(Duration)
    }

    /// - Returns: nil: nothing yet.
    mutating func take(_ notice: BrowseNotice) -> Step? {
        if case .event(let name) = end {
            if notice.event == name { return .end(.reached) }
            if case .posted(name, _) = notice { return .end(.reached) }
        }
        switch notice {
        case .navigation(.committed):
            guard !hasCommitted else { return nil }
            hasCommitted = true
            if case .seconds(let duration) = end { return .wait(duration) }
        // Another load has taken its place, and is not at its end.
        case .navigation(.failedProvisional(_, .cancelled)): break
        case .navigation(.failedProvisional(_, let error)) where !hasCommitted: return .end(.failed(error))
        case .navigation(.failed(_, let error)) where end == .event("finished"): return .end(.failed(error))
        case .navigation(.webContentProcessTerminated): return .end(.failed(.webContentProcessTerminated))
        case .denied(let action) where !hasCommitted && action.targetFrame?.isMainFrame != false:
            return .end(.failed(.unsupported("the address is not one that the browser goes to")))
        case .closed(let error): return .end(.failed(error))
        default: break
        }
        return nil
    }
}

/// How a browser is started. What can be set of a page later is not here.
package struct BrowserOptions: Sendable, Hashable {
    package struct Size: Sendable, Hashable {
        package let width, height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// nil: as the browser likes.
    package var windowSize: Size?
    /// Whether `window.open` works without a gesture.
    package var allowsPopups: Bool
    /// Whether a page may change its URL as often as it likes, rather than 200 times in ten seconds.
    package var allowsURLFloods: Bool
    /// How many processes pages may have: a few tabs that come and go open faster in one, and a crash then takes them all.
    /// nil: as many as the browser likes.
    package var rendererLimit: Int?
    /// Whether a page's frames of other sites are in its own process, as in WebKit: then one session reaches them all.
    package var joinsSites: Bool
    /// Whether pages that were left are kept as they were, to be gone back to without asking anybody.
    package var keepsPages: Bool

    package init(
        windowSize: Size? = nil, allowsPopups: Bool = false, allowsURLFloods: Bool = false, rendererLimit: Int? = nil,
        joinsSites: Bool = false, keepsPages: Bool = true
    ) {
        self.windowSize = windowSize
        self.allowsPopups = allowsPopups
        self.allowsURLFloods = allowsURLFloods
        self.rendererLimit = rendererLimit
        self.joinsSites = joinsSites
        self.keepsPages = keepsPages
    }

    /// The arguments of a browser that is driven by descriptors 3 and 4.
    ///
    /// - Parameter isRoot: Chromium refuses to start its sandbox as root.
    package func arguments(profile: String, isRoot: Bool) -> [String] {
        var flags = [
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-component-update", "--disable-default-apps", "--disable-sync", "--mute-audio",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows",
        ]
        if let windowSize { flags.append("--window-size=\(windowSize.width),\(windowSize.height)") }
        if allowsPopups { flags.append("--disable-popup-blocking") }
        if allowsURLFloods { flags.append("--disable-ipc-flooding-protection") }
        if let rendererLimit { flags.append("--renderer-process-limit=\(rendererLimit)") }
        // Only the last flag of that name counts.
        var disabled: [String] = []
        if joinsSites {
            flags.append("--disable-site-isolation-trials")
            disabled += ["IsolateOrigins", "site-per-process"]
        }
        if !keepsPages { disabled.append("BackForwardCache") }
        if !disabled.isEmpty { flags.append("--disable-features=\(disabled.joined(separator: ","))") }
        if isRoot { flags.append("--no-sandbox") }
        return flags + ["about:blank"]
    }
}

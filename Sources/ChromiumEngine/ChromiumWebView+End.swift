internal import BridgeDevTools
internal import BridgeJSON
internal import PageEngines
internal import PageModel

// Crashes, and the page's own end. Nothing happens in it then, and nobody waits for it.
extension ChromiumWebView {
    /// See `BackingWebView.close()`.
    public func close() {
        guard isAlive else { return }
        end(.pageClosed("it was closed by the app"), isCrash: false)
        letGo()
    }

    func letGo() {
        connection.listen(to: session, nil)
        connection.abandon(session)
        connection.post("Target.closeTarget", ["targetId": JSON(target)])
        connection.post("Target.disposeBrowserContext", ["browserContextId": JSON(context)])
        browser.forget(target)
    }

    /// The page has gone without having been asked to.
    func browserDidEnd(_ reason: String) {
        guard isAlive else { return }
        end(.pageClosed(reason), isCrash: false)
        browser.forget(target)
        navigationDelegate?.didClose(reason)
    }

    func didCrash() {
        guard isAlive, !isCrashed else { return }
        isCrashed = true
        // What is still on its way would come into another process.
        post("Page.stopLoading")
        end(.webContentProcessTerminated, isCrash: true)
        navigationDelegate?.didReceive(.webContentProcessTerminated)
    }

    /// A load has started another process.
    func didRevive() {
        isCrashed = false
        if isAlive { whyDead = nil }
    }

    private func end(_ error: WebPageError, isCrash: Bool) {
        let load = load
        self.load = nil
        next = nil
        unreported = nil
        requested = nil
        wanted = nil
        contexts = [:]
        frames = [:]
        wantedWindows = []
        openers = []
        whyDead = error
        goOn()
        if load?.hasToldURL == true, load?.isCommitted == false {
            tell(committedURL ?? .blank, .revert, isCommitted: false)
        }
        changeIfIdle {
            $0.url = isCrash ? nil : committedURL
            $0.isLoading = false
            if isCrash || load != nil { $0.estimatedProgress = isCrash ? 0 : 1 }
            if isCrash { $0.hasOnlySecureContent = false }
        }
    }
}

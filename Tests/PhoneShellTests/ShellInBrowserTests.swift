import BridgeHTTP
import BridgeServer
import BridgeTesting
import Bridgehead
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// The phone shell in a real browser, driven through our own page as a person drives it.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ChromiumBrowser.isInstalled, "There is no browser of Chromium's family; Tests/run installs one."))
struct ShellInBrowserTests {
    /// Each way to another entry, and back through them all: the buttons and the address are the page's, at every step.
    @Test func theButtonsAndTheAddressAreThePages() async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.inPage("history.pushState(null, '', '/pushed'); 0")
            try await shell.untilShown("/pushed", back: true, forward: false)
            try await shell.inPage("location.hash = 'h'; 0")
            try await shell.untilShown("/pushed#h", back: true, forward: false)
            try await shell.inPage("history.replaceState(null, '', '/replaced'); 0")
            try await shell.untilShown("/replaced", back: true, forward: false)
            try await shell.inPage("open('/b'); 0")
            try await shell.untilShown("/b", back: true, forward: false)
            try await shell.enter("/a?typed")
            try await shell.untilShown("/a?typed", back: true, forward: false)
            for (path, isFirst) in [("/b", false), ("/replaced", false), ("/pushed", false), ("/a", true)] {
                try await shell.press("back")
                try await shell.untilShown(path, back: !isFirst, forward: true)
            }
            try await shell.press("forward")
            try await shell.untilShown("/pushed", back: true, forward: true)
            // Another way from here leaves what was ahead.
            try await shell.inPage("document.getElementById('w')?.click() ?? open('/b'); 0")
            try await shell.untilShown("/b", back: true, forward: false)
            #expect(shell.count == 1)
        }
    }

    @Test func aLinkToANewWindowOpensInThePage() async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.inPage("document.getElementById('w').click(); 0")
            try await shell.untilShown("/b", back: true, forward: false)
            #expect(shell.page.title == "B")
        }
    }

    @Test func theButtonForBothReloads() async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.inPage("window.marker = 1; document.title = 'Marked'; 0")
            try await shell.until("document.title.includes('Marked')")
            try await shell.press("reload")
            try await shell.until("document.title.startsWith('A ')")
            try await shell.untilShown("/a", back: false, forward: false)
            #expect(try await shell.inPage("typeof marker") == .string("undefined"))
        }
    }

    @Test func aPageOfAnotherPortIsTheSamePhones() async throws {
        try await withSite(["/x": "<!doctype html><title>X</title>"]) { other in
            try await ShellInBrowser.with { shell in
                try await shell.untilShown("/a", back: false, forward: false)
                // With the client of the shell's server in it, as a team's own page has it.
                try await withSite([
                    "/x": "<!doctype html><title>X</title><script src=\(shell.origin)/_bridge/client.js></script>"
                ]) { other in
                    try await shell.enter("\(other)/x")
                    try await shell.until(
                        "document.getElementById('address').value === '\(other)/x' && !document.getElementById('back').disabled"
                    )
                    #expect(shell.page.title == "X" && shell.count == 1)
                    try await shell.press("back")
                    try await shell.untilShown("/a", back: false, forward: true)
                }
            }
        }
    }

    @Test func theDeviceIsTurnedAndThePageIsNotLoadedAgain() async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.inPage("window.marker = 7; 0")
            #expect(try await shell.inPage("[innerWidth, innerHeight].join()") == .string("393,659"))
            try await shell.press("rotate")
            try await shell.until("document.getElementById('phone').dataset.rotated === 'true'")
            #expect(try await shell.inPage("[innerWidth, innerHeight].join()") == .string("734,343"))
            #expect(try await shell.inPage("marker") == .number(7))
        }
    }

    @Test(arguments: ["javascript:document.title='x'", "file:///etc/passwd"])
    func anAddressThatIsNoWebPagesIsRefused(address: String) async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.enter(address)
            try await shell.untilNotice("badURL")
            #expect(try await shell.inPage("location.pathname + document.title") == .string("/aA"))
        }
    }

    @Test func whatIsNotOnThisMachineIsAskedAboutFirst() async throws {
        try await ShellInBrowser.with("https://example.test/") { shell in
            try await shell.untilNotice("confirm")
            #expect(try await shell.run("document.getElementById('page') === null") == .bool(true))
        }
    }

    @Test func aPageThatMayNotBeFramedIsExplained() async throws {
        try await withSite(fields: ["X-Frame-Options": "SAMEORIGIN"]) { other in
            try await ShellInBrowser.with("\(other)/_bridge/conformance/x.html") { shell in
                try await shell.untilNotice("noFraming")
                #expect(try await shell.run("document.getElementById('page') === null") == .bool(true))
                try await shell.enter("/a")
                try await shell.untilShown("/a", back: false, forward: false)
            }
        }
    }

    @Test func aPageWithoutAClientIsExplainedAndTheWayBackIsThere() async throws {
        try await ShellInBrowser.with("/plain") { shell in
            try await shell.untilNotice("noClient")
            try await shell.enter("/a")
            // The browser has kept where it was.
            try await shell.untilShown("/a", back: true, forward: false)
        }
    }

    @Test func anAlertIsASheet() async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.inPage("alert('<b>hello</b>'); 0")
            try await shell.until("document.getElementById('sheet').open")
            #expect(
                try await shell.run("document.getElementById('sheet-message').textContent") == .string("<b>hello</b>"))
            try await shell.press("sheet-ok")
            try await shell.until("!document.getElementById('sheet').open")
        }
    }

    /// The native side is killed and started again: nothing of the page is lost.
    @Test func aNativeSideThatComesBackFindsAllAsItWas() async throws {
        try await ShellInBrowser.with { shell in
            try await shell.untilShown("/a", back: false, forward: false)
            try await shell.inPage("history.pushState(null, '', '/pushed'); window.marker = 7; 0")
            try await shell.untilShown("/pushed", back: true, forward: false)
            shell.bridge.on("never") { _, _ in try await Task.sleep(for: .seconds(600)) }
            try await shell.inPage(
                "window.pending = bridgehead.request('never').catch(({ code }) => code); 0")
            while shell.bridge.events.isEmpty { await Task.yield() }
            try await shell.restart {
                try await shell.until(
                    "document.body.dataset.status === 'gone' && !document.getElementById('banner').hidden")
                #expect(try await shell.inPage("pending") == .number(-32_004))
                #expect(try await shell.run("document.getElementById('back').disabled") == .bool(true))
            }
            try await shell.until(
                "document.body.dataset.status === 'ready' && document.getElementById('banner').hidden")
            try await shell.untilShown("/pushed", back: true, forward: false)
            #expect(try await shell.inPage("marker") == .number(7))
            try await shell.press("back")
            try await shell.untilShown("/a", back: false, forward: true)
            #expect(try await shell.inPage("marker") == .number(7))
            #expect(shell.count == 2)
        }
    }

    /// A footer's button is answered here, and its height is what is asked for.
    @Test func aNativeViewIsThereAndAnswers() async throws {
        let footer = Footer()
        try await ShellInBrowser.with("/foot", onPage: { footer.attach(to: $0) }) { shell in
            try await shell.untilShown("/foot", back: false, forward: false)
            let overlay = try #require(footer.overlay)
            try await overlay.placed()
            try await shell.until("document.getElementById('overlays').textContent.includes('Footer')")
            #expect(overlay.frame?.height == 120 && overlay.frame?.width == 393)
            let top = try await shell.inPage(
                "document.getElementById('app-footer-placeholder').getBoundingClientRect().top + scrollY")
            #expect(top.number == overlay.frame?.y)
            overlay.height = 400
            try await overlay.placed()
            #expect(overlay.frame?.height == 400)
            #expect(
                try await shell.inPage("document.getElementById('app-footer-placeholder').offsetHeight") == .number(400)
            )
            // Reloaded, it is there again.
            try await shell.press("reload")
            try await shell.untilShown("/foot", back: false, forward: false)
            try await overlay.placed()
            #expect(overlay.frame?.height == 400)
        }
    }
}

@MainActor
private final class Footer {
    enum Event: String, CaseIterable { case like }
    private(set) var overlay: NativeOverlay?

    func attach(to page: WebPage) {
        let view = try? NativeView(label: "Footer", events: Event.self, "<button event=\"like\">Like</button>") {
            _, _ in
        }
        overlay = view.flatMap {
            try? page.overlays.attach($0, at: .placeholder("app-footer-placeholder"), height: 120)
        }
    }
}

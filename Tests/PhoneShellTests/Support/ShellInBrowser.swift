import BridgeServer
import BridgeTesting
import Bridgehead
import Foundation
import PageEngines
import PageModel
import PhoneShell
import Testing

/// A server with the phone shell, and the shell in a real browser, as a person has them.
@MainActor
final class ShellInBrowser {
    static let client = "<script src=/_bridge/client.js></script>"
    static let pages = [
        "/a": "<!doctype html><title>A</title>\(client)<a id=w target=_blank href=/b>b</a>",
        "/b": "<!doctype html><title>B</title>\(client)",
        // Where pushState leads: gone back to from elsewhere, it is loaded.
        "/pushed": "<!doctype html><title>P</title>\(client)", "/replaced": "<!doctype html><title>R</title>\(client)",
        "/foot": "<!doctype html><title>F</title>\(client)<p>text</p><div id=app-footer-placeholder></div>",
        "/plain": "<!doctype html><title>Plain</title>",
    ]

    private var configuration = BridgeServer.Configuration()
    private var server: BridgeServer
    private var shell: PhoneShell
    private(set) var bridge = Bridge()
    private let phones = Phones()
    private let onPage: @MainActor (WebPage) -> Void
    private(set) var origin = ""
    private var shown: WebPage?

    /// The page on the phone, as the app has it.
    var page: WebPage { phones.pages[phones.pages.count - 1] }
    /// How many phones there have been.
    var count: Int { phones.pages.count }

    private init(_ onPage: @escaping @MainActor (WebPage) -> Void) async throws {
        self.onPage = onPage
        configuration.port = 0
        configuration.drainTimeout = .zero
        configuration.occupiesThread = false
        configuration.pages = Self.pages
        shell = Self.shell(bridge, phones, onPage)
        configuration.sites = [shell.site]
        server = BridgeServer(bridge, configuration: configuration)
        configuration.port = try await server.start().port
        origin = "http://localhost:\(configuration.port)"
    }

    /// - Parameter url: what the shell is opened with; `$` is the server.
    static func with(
        _ url: String = "/a", query: String = "", onPage: @escaping @MainActor (WebPage) -> Void = { _ in },
        _ body: @MainActor (ShellInBrowser) async throws -> Void
    ) async throws {
        let fixture = try await ShellInBrowser(onPage)
        do {
            let given = url.replacing("$", with: fixture.origin).replacing("%", with: "%25").replacing("#", with: "%23")
            let address = "\(fixture.origin)/_bridge/shell?url=\(given)\(query)"
            try await withWebPage(.chromium, at: address, of: .server(fixture.origin)) { view in
                fixture.shown = view
                try await fixture.until("document.body.dataset.status === 'ready'")
                try await body(fixture)
            }
        } catch {
            await fixture.server.stop()
            throw error
        }
        await fixture.server.stop()
    }

    /// The shell's page.
    var view: WebPage {
        get throws { try #require(shown) }
    }

    private static func shell(
        _ bridge: Bridge, _ phones: Phones, _ onPage: @escaping @MainActor (WebPage) -> Void
    ) -> PhoneShell {
        var patience = PhoneShell.Patience()
        // A busy machine may take long for what is not late.
        patience.shell = .seconds(600)
        patience.load = .seconds(600)
        return PhoneShell(bridge, patience: patience) { page in
            phones.pages.append(page)
            onPage(page)
        }
    }

    // MARK: The shell's page

    /// Returns once that expression is true in the shell's page, looked at whenever anything of it changes.
    func until(_ condition: String) async throws {
        try await (try view).callJavaScript(
            """
            await new Promise((resolve) => {
              const check = () => { if (\(condition)) { observer.disconnect(); resolve(); } };
              const observer = new MutationObserver(check);
              observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
              check();
            })
            """)
    }

    @discardableResult
    func run(_ script: String) async throws -> JavaScriptValue { try await (try view).evaluateJavaScript(script) }

    func press(_ id: String) async throws { try await run("document.getElementById('\(id)').click(); 0") }

    /// Types into the address field and presses Enter.
    func enter(_ text: String) async throws {
        try await (try view).callJavaScript(
            """
            const field = document.getElementById("address");
            field.focus();
            field.value = text;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.form.requestSubmit();
            """, arguments: ["text": .string(text)])
    }

    /// In the page on the phone, which is of the shell's origin.
    @discardableResult
    func inPage(_ script: String) async throws -> JavaScriptValue {
        try await (try view).callJavaScript(
            "return await document.getElementById('page').contentWindow.eval(script)",
            arguments: ["script": .string(script)])
    }

    /// The address and whether the buttons can be pressed, once they are so.
    func untilShown(_ path: String, back: Bool, forward: Bool) async throws {
        try await until(
            """
            document.getElementById('address').value === '\(origin)\(path)' && \
            document.getElementById('back').disabled === \(!back) && \
            document.getElementById('forward').disabled === \(!forward) && \
            document.getElementById('progress').hidden
            """)
        #expect(page.canGoBack == back && page.canGoForward == forward)
    }

    func untilNotice(_ kind: String) async throws {
        try await until(
            "document.getElementById('notice').dataset.kind === '\(kind)' && !document.getElementById('notice').hidden")
    }

    // MARK: The native side

    /// The native side ends as when its process is killed, and another starts when `meanwhile` is over.
    func restart(_ meanwhile: () async throws -> Void) async throws {
        await server.stop()
        try await meanwhile()
        bridge = Bridge()
        shell = Self.shell(bridge, phones, onPage)
        configuration.sites = [shell.site]
        server = BridgeServer(bridge, configuration: configuration)
        try await server.start()
    }
}

@MainActor
final class Phones {
    var pages: [WebPage] = []
}

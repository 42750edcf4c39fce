internal import BridgeHTTP
package import BridgeServer
package import Bridgehead
internal import ConnectedEngine
internal import InAppBrowser
package import PageEngines
internal import PageModel
internal import WebFixtures

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The phone shell: a page that looks like a phone, whose every part is driven from here. Its page is a view of a ``Phone``
/// and speaks over a bridge of its own; the pages in its frame are those of the app's bridge.
@MainActor
package final class PhoneShell {
    /// How long something may take. Tests have no time.
    package struct Patience: Sendable {
        /// A phone without a shell, which may be being reloaded, or lost for a moment.
        package var shell = Duration.seconds(30)
        /// A page that has loaded and not connected.
        package var client = Duration.seconds(3)
        /// A load without a document.
        package var load = Duration.seconds(30)

        package init() {}
    }

    private let bridge = Bridge()
    private let patience: Patience
    private let onPage: @MainActor (WebPage) -> Void
    private var pages: PhonePages?
    private var phones: [String: ShownPhone] = [:]
    /// By their sessions.
    private var shells: [String: ShownPhone] = [:]

    /// - Parameters:
    ///   - bridge: whose pages are shown.
    ///   - onPage: called with the page of each new phone, before it has loaded anything.
    package init(
        _ bridge: Bridge, patience: Patience = Patience(), onPage: @escaping @MainActor (WebPage) -> Void = { _ in }
    ) {
        self.patience = patience
        self.onPage = onPage
        pages = PhonePages(bridge, patience: patience.load) { [weak self] id, view in self?.begin(id, view) }
        register()
    }

    /// What a server mounts, for as long as somebody keeps this.
    package var site: MountedSite {
        var site = MountedSite(.shell) { WebFixtures.contents("shell/\($0)") }
        site.fields = [
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws:; "
                + "frame-src http: https:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
        ]
        site.bridge = bridge
        return site
    }

    // MARK: Phones

    /// A page that names a phone nobody knows: this side was started again, and its shell is on the way.
    @discardableResult
    private func begin(_ id: String, _ view: ConnectedWebView) -> ShownPhone {
        if let known = phones[id] { return known }
        let shown = ShownPhone(Phone(id, view, clientPatience: patience.client), patience.shell) { [weak self] in
            self?.phones[id] = nil
        }
        phones[id] = shown
        onPage(shown.phone.page)
        return shown
    }

    private func begin(_ payload: JSON, _ shell: BridgePage) throws -> JSON {
        guard let pages else { throw BridgeFailure.noPhone }
        let known = payload["phone"]?.string.flatMap { Self.isID($0) ? $0 : nil }
        let id = known ?? Self.newID()
        let shown = begin(id, pages.view(id))
        // Whoever was started anew knows nothing of it, and is told.
        if !shown.hasShell, let was = payload["was"] { shown.phone.restore(was) }
        shells[shell.id] = shown
        shown.phone.shell = shell.info["url"]?.string.flatMap { URL(string: $0) }
        shown.show(in: shell)
        Task { [weak self] in
            for await _ in shell.changes {}
            self?.shells[shell.id] = nil
            shown.remove(shell)
        }
        // A shell that comes back has its page.
        if known == nil, let url = payload["url"]?.string { shown.phone.open(url) }
        return shown.state
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Nobody guesses it.
    private static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next() as UInt64, radix: 36) + String(generator.next() as UInt64, radix: 36)
    }

    // MARK: What the shell's page asks for

    private func register() {
        bridge.on("shell.begin") { @MainActor [weak self] payload, call async throws in
            guard let self else { throw BridgeFailure.noPhone }
            return try self.begin(payload, call.page)
        }
        on("shell.open") { phone, payload in phone.open(try Self.text(payload, "input")) }
        on("shell.back") { phone, _ in phone.browser.goBack() }
        on("shell.forward") { phone, _ in phone.browser.goForward() }
        on("shell.reloadOrStop") { phone, _ in phone.browser.reloadOrStop() }
        on("shell.dismissNotice") { phone, _ in phone.dismissNotice() }
        on("shell.confirm") { phone, _ in phone.confirm() }
        on("shell.frameDidLoad") { phone, _ in phone.frameDidLoad() }
        on("shell.explain") { phone, payload in
            guard let isOn = payload["isOn"]?.bool else { throw BridgeFailure.shell("shell.explain takes isOn") }
            phone.page.overlays.explain = isOn
        }
        on("shell.answer") { phone, payload in
            guard let sheet = payload["sheet"]?.int, let accepts = payload["accepts"]?.bool else {
                throw BridgeFailure.shell("shell.answer takes sheet and accepts")
            }
            guard phone.sheets.answer(sheet, accepts: accepts, text: payload["text"]?.string) else {
                throw BridgeFailure.shell("The page no longer waits for this answer.")
            }
        }
        on("shell.device") { phone, payload in try phone.change(payload) }
    }

    private func on(_ name: String, _ body: @escaping @MainActor @Sendable (Phone, JSON) throws -> Void) {
        bridge.on(name) { @MainActor [weak self] payload, call async throws in
            guard let shown = self?.shells[call.page.id] else { throw BridgeFailure.noPhone }
            try body(shown.phone, payload)
        }
    }

    private static func text(_ payload: JSON, _ name: String) throws -> String {
        guard let text = payload[name]?.string else { throw BridgeFailure.shell("\(name) is missing") }
        return text
    }
}

extension Phone {
    /// As its shell remembers it, as far as that is anything. Nothing is loaded: the frame is as it was.
    fileprivate func restore(_ was: JSON) {
        restore(
            PhoneDevice.all.first { $0.id == was["id"]?.string },
            was["platform"]?.string.flatMap(PhoneDevice.Platform.init))
        isRotated = was["isRotated"]?.bool ?? isRotated
        scheme = was["scheme"]?.string.flatMap(Scheme.init) ?? scheme
        page.overlays.explain = was["isExplaining"]?.bool ?? false
    }

    /// All of it or nothing.
    fileprivate func change(_ payload: JSON) throws {
        func value<Value>(_ name: String, _ read: (JSON) -> Value?) throws -> Value? {
            guard let json = payload[name], !json.isNull else { return nil }
            guard let value = read(json) else { throw BridgeFailure.shell("There is no \(name) \(json.text).") }
            return value
        }
        let device = try value("id") { json in PhoneDevice.all.first { $0.id == json.string } }
        let isRotated = try value("isRotated", \.bool)
        let scheme = try value("scheme") { $0.string.flatMap(Scheme.init) }
        let platform = try value("platform") { $0.string.flatMap(PhoneDevice.Platform.init) }
        if let device { take(device) }
        if let isRotated { self.isRotated = isRotated }
        if let scheme { self.scheme = scheme }
        if let platform { take(platform) }
    }
}

extension BridgeFailure {
    static func shell(_ text: String) -> BridgeFailure { BridgeFailure(4000, text) }
    static let noPhone = shell("The phone has not begun: shell.begin comes first.")
}

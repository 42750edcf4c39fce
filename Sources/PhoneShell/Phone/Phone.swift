internal import Bridgehead
internal import ConnectedEngine
internal import InAppBrowser
internal import Observation
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A phone on somebody's desk: an in-app browser whose view is the shell's page. Everything that the shell shows is here.
@MainActor @Observable
final class Phone {
    enum Scheme: String, Sendable { case light, dark }

    /// What the shell's frame is to load, and how often it was told to.
    struct Frame: Hashable, Sendable {
        var url: URL?
        var load = 0
    }

    let id: String
    @ObservationIgnored let page: WebPage
    @ObservationIgnored let view: ConnectedWebView
    @ObservationIgnored let browser: InAppBrowserViewModel
    let sheets: PhoneSheets
    /// How long a page that has loaded may take until it counts as one without a client.
    @ObservationIgnored private let clientPatience: Duration

    private(set) var frame = Frame()
    private(set) var connection: ConnectedWebView.Connection
    private(set) var hasConnected = false
    var notice: PhoneNotice?
    private(set) var device = PhoneDevice.iPhone15
    var isRotated = false { didSet { tellSafeArea() } }
    var scheme = Scheme.light
    private(set) var platform = PhoneDevice.Platform.ios

    /// Where the shell was opened: addresses are relative to it, and pages allow it to frame them or not.
    @ObservationIgnored var shell: URL?
    @ObservationIgnored private var opening: Task<Void, Never>?
    @ObservationIgnored private var waitingForClient: Task<Void, Never>?

    init(_ id: String, _ view: ConnectedWebView, clientPatience: Duration) {
        self.id = id
        self.view = view
        self.clientPatience = clientPatience
        page = WebPage(view)
        browser = InAppBrowserViewModel(page: page, policy: URLPolicy(allowedSchemes: ["http", "https"]))
        // In the place of the browser's, which asks it in turn.
        sheets = PhoneSheets(windows: page.uiHandler)
        connection = view.connection
        page.uiHandler = sheets
        view.loadFrame = { [weak self] in self?.load($0) }
        view.connectionDidChange = { [weak self] in self?.connectionDidChange() }
        tellSafeArea()
    }

    func end() {
        opening?.cancel()
        waitingForClient?.cancel()
        sheets.dismissAll()
        page.close()
    }

    // MARK: What is pressed

    func open(_ input: String) {
        guard let shell else { return }
        switch PhoneAddress(input, in: shell) {
        case .here(let url): go(to: url)
        case .elsewhere(let url): say(.confirm(url))
        case .invalid(let text): say(.badURL(text))
        }
    }

    /// Goes on to the URL that was asked about.
    func confirm() {
        guard let notice, notice.kind == .confirm, let url = notice.url else { return }
        go(to: url)
    }

    func dismissNotice() {
        notice = nil
        browser.dismissNotice()
    }

    func take(_ device: PhoneDevice) {
        guard device.id != self.device.id else { return }
        self.device = device
        tellSafeArea()
        take(device.platform)
    }

    func restore(_ device: PhoneDevice?, _ platform: PhoneDevice.Platform?) {
        self.device = device ?? self.device
        self.platform = platform ?? self.device.platform
    }

    /// What the cutout and the corners take of the page's own area: the toolbar has the rest.
    private func tellSafeArea() {
        let insets = device.held(isRotated: isRotated).pageInsets
        page.overlays.safeArea =
            insets == PhoneDevice.Insets()
            ? nil
            : OverlayInsets(
                top: Double(insets.top), right: Double(insets.right), bottom: Double(insets.bottom),
                left: Double(insets.left))
    }

    /// Another platform is another name of the frame, and so another frame: it begins with the page that is shown.
    func take(_ platform: PhoneDevice.Platform) {
        guard platform != self.platform else { return }
        self.platform = platform
        guard frame.url != nil || hasConnected, let url = browser.address ?? frame.url else { return }
        view.frameWasReplaced()
        load(url)
    }

    // MARK: Loading

    private func go(to url: URL) {
        dismissNotice()
        opening?.cancel()
        opening = Task { [weak self, shell] in
            // A browser tells nobody why a frame stays blank: it is found out before.
            let verdict = await FramingCheck.verdict(on: url, in: shell ?? url)
            guard let self, !Task.isCancelled else { return }
            if let notice = Self.notice(verdict, url) {
                self.say(notice)
            } else {
                self.browser.open(url.absoluteString)
            }
        }
    }

    private static func notice(_ verdict: FramingCheck.Verdict, _ url: URL) -> PhoneNotice? {
        switch verdict {
        case .fine, .unknown: nil
        case .refused(let field): .noFraming(url, field)
        case .unreachable(let reason): .unreachable(url, reason)
        }
    }

    private func say(_ notice: PhoneNotice) {
        opening?.cancel()
        self.notice = notice
    }

    /// The number grows from one start of the native side to the next, as the shell remembers what it has loaded.
    private func load(_ url: URL) {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        frame = Frame(url: url, load: max(frame.load + 1, now))
    }

    /// The frame has shown something: a page that connects by and by, or one that does not.
    func frameDidLoad() {
        waitingForClient?.cancel()
        guard connection != .connected else { return }
        waitingForClient = Task { [weak self, clientPatience] in
            do { try await Task.sleep(for: clientPatience) } catch { return }
            await self?.nobodyConnected()
        }
    }

    private func nobodyConnected() async {
        guard connection != .connected, notice == nil, let shell else { return }
        // What the page itself has gone to nobody knows.
        let url = page.isLoading ? page.url : nil
        var found: PhoneNotice?
        if let url { found = Self.notice(await FramingCheck.verdict(on: url, in: shell), url) }
        guard connection != .connected, notice == nil else { return }
        page.stopLoading()
        notice = found ?? .noClient(url)
    }

    private func connectionDidChange() {
        connection = view.connection
        if connection == .connected {
            hasConnected = true
            waitingForClient?.cancel()
            notice = nil
        } else {
            sheets.dismissAll()
        }
    }
}

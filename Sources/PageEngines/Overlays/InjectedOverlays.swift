public import PageModel
internal import WebFixtures

extension BackingWebView {
    /// See `BackingWebView.makeOverlaySurface()`.
    public func makeOverlaySurface() -> any OverlaySurface { InjectedOverlays(self) }
}

/// Draws overlays by a script in a world of its own, which the page cannot see.
///
/// The script comes with the first request to each document. It is no user script: those are the app's, who may take all
/// away, and documents that are there have none that is added later.
@MainActor
final class InjectedOverlays: OverlaySurface {
    var receive: (@MainActor (OverlayMessage) -> Void)?
    private weak var backing: (any BackingWebView)?
    private var isHearing = false

    init(_ backing: any BackingWebView) {
        self.backing = backing
    }

    func apply(_ request: OverlayRequest) async throws -> OverlayMeasurement {
        try hear()
        let arguments: [String: JavaScriptValue] = [
            "number": .number(Double(request.number)), "wanted": JavaScriptValue(request),
        ]
        var answer = try await call(Self.again, arguments)
        if answer == .null { answer = try await call(Self.first, arguments) }
        guard let measurement = OverlayMeasurement(answer) else {
            throw WebPageError.unsupported("the page's measurement cannot be read: \(answer)")
        }
        return measurement
    }

    private func call(_ body: String, _ arguments: [String: JavaScriptValue]) async throws -> JavaScriptValue {
        guard let backing else { throw WebPageError.pageClosed("what showed it is gone") }
        return try await backing.callJavaScript(body, arguments: arguments, in: nil, world: Self.world)
    }

    private func hear() throws {
        guard !isHearing else { return }
        try backing?.addMessageHandler("overlays", world: Self.world) { [weak self] message, reply in
            reply.answer(.fulfil(.undefined))
            guard let number = message.body["request"]?.int,
                let told = OverlayMessage(message.body, request: number)
            else { return }
            self?.receive?(told)
        }
        isHearing = true
    }

    private static let world = WebPageContentWorld.named("bridgehead.overlays")

    /// Answers null in a document that has not got the script.
    private static let again = "return globalThis.bridgeheadApply?.(number, wanted) ?? null;"

    private static let first = """
        \(String(decoding: WebFixtures.contents("client/overlays.js") ?? [], as: UTF8.self))
        let request = 0;
        let overlays;
        globalThis.bridgeheadApply = (number, wanted) => {
          overlays ??= new globalThis.bridgeheadOverlays.Overlays(globalThis, (message) => {
            globalThis.webkit.messageHandlers.overlays.postMessage({ ...message, request });
          });
          const measurement = overlays.apply(wanted);
          request = number;
          // A page that nothing is wanted of is not watched.
          if (wanted.overlays.length === 0 && !wanted.explain && wanted.safeArea === null) {
            overlays.remove();
            overlays = undefined;
          }
          return measurement;
        };
        return globalThis.bridgeheadApply(number, wanted);
        """
}

import BridgeTesting
import Foundation
import PageEngines
import PageModel

@MainActor
final class StubFixture: Fixture {
    let stub = StubWebView()
    let page: WebPage
    let slow = URL(string: "http://127.0.0.1:1/slow") ?? URL(filePath: "/slow")
    let nobody = URL(string: "http://127.0.0.1:2/") ?? URL(filePath: "/nobody")

    init() {
        page = WebPage(stub)
        stub.responses = [
            url("/a.html"): .page(title: "A"), url("/b.html"): .page(title: "B"), slow: .pending,
            nobody: .failure(.network("net::ERR_CONNECTION_REFUSED")),
        ]
        // A test's own answers: a stub runs no script.
        stub.answer = { script in
            guard script.source == Behaviour.neverEnding else { throw WebPageError.unsupported("scripts") }
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
            return .undefined
        }
        page.load(url("/a.html"))
    }

    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1\(path)") ?? URL(filePath: path) }

    func act(_ act: PageAct) {
        switch act {
        case .push(let path): stub.pushState(url(path))
        case .replace(let path): stub.replaceState(url(path))
        case .hash(let fragment):
            stub.navigate(to: url("\(stub.state.url?.path() ?? "")#\(fragment)"))
        case .go(let offset): stub.historyGo(offset)
        case .title(let title): stub.changeTitle(title)
        case .visit(let path): stub.navigate(to: url(path))
        case .visitInPlace(let path): stub.replaceLocation(url(path))
        }
    }

    func post(_ body: JavaScriptValue, to handler: String) async -> String {
        do {
            return "fulfilled \(try await stub.postMessage(body, to: handler).text)"
        } catch {
            return "rejected \(error)"
        }
    }

    func end() { page.close() }
}

import Foundation
import PageEngines
import PageModel

// Loads of this side.
extension OrderCase {
    static let loads: [OrderCase] = [
        OrderCase(
            "a first load", of: "ASRCFulph", startsInA: false,
            "p=0.1 u=/b l=true A(/b) S R p=0.5 h=1@0 C h=1@0 p=1.0 l=false F"
        ) { page, pages, _ in page.load(pages.url("/b")) },
        OrderCase(
            "a load", of: "ASRCFulpht",
            "p=0.1 u=/b l=true A(/b) S R p=0.5 h=2@1 t= C h=2@1 t=B p=1.0 l=false F"
        ) { page, pages, _ in page.load(pages.url("/b")) },
        OrderCase("a server's redirect", "u=/r l=true A(/r) S u=/b A(/b redirect) D R C l=false F") {
            page, pages, _ in page.load(pages.url("/r"))
        },
        OrderCase(
            "two redirects", answers: { $0["/rr"] = .redirect("/r", status: 307) },
            "u=/rr l=true A(/rr) S u=/r A(/r redirect) D u=/b A(/b redirect) D R C l=false F"
        ) { page, pages, _ in page.load(pages.url("/rr")) },
        OrderCase("a reload", "l=true A(/a reload) S R C l=false F") { page, _, _ in page.reload() },
        OrderCase(
            "a load of the same URL", of: "ASRCFul", "l=true A(/a) S R C l=false F"
        ) { page, pages, _ in page.load(pages.url("/a")) },
        OrderCase(
            "back", "u=/a l=true A(/a backForward) S R C l=false F",
            difference: (
                "u=/a l=true A(/a backForward) S C l=false F",
                "no page is kept as it was, so that the answer is decided upon again"
            )
        ) { page, pages, log in
            page.load(pages.url("/b"))
            await log.until("F")
            _ = log.take()
            page.goBack()
        },
        OrderCase(
            "a fragment of the same document", of: "ASRCFXulp", end: "p=1.0",
            "p=0.1 u=/a#x l=true A(/a#x) l=false p=1.0"
        ) { page, pages, _ in page.load(pages.url("/a#x")) },
    ]

    static let documents: [OrderCase] = [
        OrderCase("a document from its text", of: "ASRCFul", "u=/base l=true A(/base) S C l=false F") {
            page, pages, _ in
            page.load(html: "<title>T</title>", baseURL: pages.url("/base"))
        },
        OrderCase(
            "a document from its text, without a base URL", of: "ASRCFulh",
            "u=about:blank l=true A(about:blank) S C l=false F"
        ) { page, _, _ in page.load(html: "<p>") },
        OrderCase(
            "an error's page", answers: { $0["/404"] = .page("No", status: 404) },
            "u=/404 l=true A(/404) S R(404) C l=false F"
        ) { page, pages, _ in page.load(pages.url("/404")) },
    ]

    static let failures: [OrderCase] = [
        OrderCase(
            "204", of: "ASRCFXulp", answers: { $0["/n"] = .noContent }, end: "p=1.0",
            "p=0.1 u=/n l=true A(/n) S R(204) l=false u=/a X(102) p=1.0"
        ) { page, pages, _ in page.load(pages.url("/n")) },
        OrderCase(
            "what cannot be shown", of: "ASRCFXulp", answers: { $0["/n"] = .of("application/octet-stream", "x") },
            end: "p=1.0", "p=0.1 u=/n l=true A(/n) S R l=false u=/a X(102) p=1.0"
        ) { page, pages, _ in page.load(pages.url("/n")) },
        OrderCase(
            "a response refused", of: "ASRCFXulp", end: "p=1.0", "p=0.1 u=/b l=true A(/b) S R l=false u=/a X(102) p=1.0"
        ) { page, pages, log in
            log.responsePolicy = { _ in .cancel }
            page.load(pages.url("/b"))
        },
        OrderCase("a load refused", of: "ASRCFXulp", end: "p=1.0", "p=0.1 u=/b l=true A(/b) l=false u=/a p=1.0") {
            page, pages, log in
            log.policy = { _ in .cancel }
            page.load(pages.url("/b"))
        },
        OrderCase(
            "a redirect refused", of: "ASRCFXulp", end: "p=1.0",
            "p=0.1 u=/r l=true A(/r) S u=/b A(/b redirect) l=false u=/a X(102) p=1.0"
        ) { page, pages, log in
            log.policy = { $0.isRedirect ? .cancel : .allow }
            page.load(pages.url("/r"))
        },
        OrderCase("nobody listens", end: "X", "u=/ l=true A(/) S l=false u=/a X(-1004)") { page, _, _ in
            page.load(unused())
        },
        OrderCase(
            "no such host", end: "X", "u=/ l=true A(/) S l=false u=/a X(-1003)"
        ) { page, _, _ in page.load(URL(string: "http://nowhere.invalid/") ?? local("/")) },
        OrderCase("a scheme that nobody knows", end: "X", "u=foo:bar l=true A(foo:bar) S l=false u=/a X(101)") {
            page, _, _ in page.load(URL(string: "foo:bar") ?? local("/"))
        },
        OrderCase(
            "a body that breaks off", of: "ASRCFXulp", answers: { $0["/c"] = .cut("Half") }, end: "X",
            "p=0.1 u=/c l=true A(/c) S R p=0.5 C p=1.0 l=false X(-1)"
        ) { page, pages, _ in page.load(pages.url("/c")) },
        OrderCase(
            "stopped before it commits", of: "ASRCFXulp", end: "p=1.0",
            "p=0.1 u=/slow l=true A(/slow) S l=false u=/a X(-999) p=1.0"
        ) { page, pages, _ in
            page.load(pages.url("/slow"))
            await pages.requested("/slow")
            page.stopLoading()
        },
        OrderCase(
            "stopped after it has committed", of: "ASRCFXul", answers: { $0["/o"] = .open("Open") }, end: "X",
            "u=/o l=true A(/o) S R C l=false X(-999)"
        ) { page, pages, log in
            page.load(pages.url("/o"))
            await log.until("C")
            page.stopLoading()
        },
        OrderCase("another load takes its place", of: "ASRCFXu", "u=/slow A(/slow) S u=/b X(-999) A(/b) S R C F") {
            page, pages, _ in
            page.load(pages.url("/slow"))
            await pages.requested("/slow")
            page.load(pages.url("/b"))
        },
        OrderCase("another load inside an event", of: "ASRCFXu", "u=/slow A(/slow) S u=/b X(-999) A(/b) S R C F") {
            page, pages, log in
            let other = pages.url("/b")
            log.onEvent = { [unowned page] event in
                if case .startedProvisional = event, page.url != other { page.load(other) }
            }
            page.load(pages.url("/slow"))
        },
    ]
}

import Foundation
import PageEngines
import PageModel

extension Behaviour {
    static let loads: [Behaviour] = [
        Behaviour("a load", "p=0.1 u=/b l=true S p=0.5 C p=1.0 l=false F back=true forward=false") {
            fixture, log in
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            await log.until("t=B")
            return log.take("SDCFXulp") + text(fixture.page)
        },
        Behaviour("a load's title", "t= t=B title B") { fixture, log in
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            await log.until("t=B")
            return log.take("t") + " title \(fixture.page.title)"
        },
        Behaviour("who is asked about a load", "A(/b other) R") { fixture, log in
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            return log.asked.joined(separator: " ")
        },
        Behaviour("a load that is refused", "p=0.1 u=/b l=true l=false u=/a p=1.0 load /b?@0, revert /a?@0") {
            fixture, log in
            log.policy = .cancel
            fixture.page.load(fixture.url("/b.html"))
            await log.until("p=1.0")
            await log.until(change: "revert")
            return log.take("SDCFXulp") + " " + log.takeChanges()
        },
        Behaviour("back", "p=0.1 u=/a l=true S p=0.5 C p=1.0 l=false F back=false forward=true") { fixture, log in
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            await log.until("t=B")
            log.forget()
            fixture.page.goBack()
            await log.until("F")
            return log.take("SDCFXulp") + text(fixture.page)
        },
        Behaviour("URL changes of loads", urlChanges) { fixture, log in
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            _ = log.take("")
            fixture.page.goBack()
            await log.until("F")
            _ = log.take("")
            fixture.page.goForward()
            await log.until("F")
            _ = log.take("")
            fixture.page.reload()
            await log.until("F")
            await log.until(change: "reload")
            return log.takeChanges()
        },
        Behaviour("a reload", "p=0.1 l=true S p=0.5 C p=1.0 l=false F back=false forward=false") { fixture, log in
            fixture.page.reload()
            await log.until("F")
            await log.until("t=A")
            return log.take("SDCFXulp") + text(fixture.page)
        },
        Behaviour("the page goes elsewhere", "S C F commit /b@1 back=true forward=false") { fixture, log in
            try await fixture.act(.visit("/b.html"))
            await log.until("F")
            await log.until(change: "commit")
            return log.take("SDCFX") + " " + log.takeChanges() + text(fixture.page)
        },
        Behaviour("the page's URL shows at the commit", "p=0.1 l=true S p=0.5 u=/b C p=1.0 l=false F") { fixture, log in
            try await fixture.act(.visit("/b.html"))
            await log.until("F")
            return log.take("SDCFXulp")
        },
        Behaviour("the page replaces its document", "S C F replace /b@0 back=false forward=false") { fixture, log in
            try await fixture.act(.visitInPlace("/b.html"))
            await log.until("F")
            await log.until(change: "replace")
            return log.take("SDCFX") + " " + log.takeChanges() + text(fixture.page)
        },
        Behaviour("the page goes back", "S C F traversal /a@0 back=false forward=true") { fixture, log in
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            await log.until(change: "commit")
            log.forget()
            try await fixture.act(.go(-1))
            await log.until("F")
            await log.until(change: "traversal")
            return log.take("SDCFX") + " " + log.takeChanges() + text(fixture.page)
        },
        Behaviour("stopped", "p=0.1 u=/slow l=true S l=false u=/a X(-999) p=1.0") { fixture, log in
            fixture.page.load(fixture.slow)
            await log.until("S")
            fixture.page.stopLoading()
            await log.until("p=1.0")
            return log.take("SDCFXulp")
        },
        Behaviour("another load takes its place at once", "u=/slow S u=/b X(-999) S C F") { fixture, log in
            fixture.page.load(fixture.slow)
            await log.until("S")
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            return log.take("SDCFXu")
        },
        Behaviour("nobody is there", "p=0.1 u=/ l=true S l=false u=/a X(-1004) p=1.0") { fixture, log in
            fixture.page.load(fixture.nobody)
            await log.until("p=1.0")
            return log.take("SDCFXulp")
        },
        Behaviour("a scheme that nobody knows", "u=foo:bar l=true S l=false u=/a X(101)") { fixture, log in
            fixture.page.load(URL(string: "foo:bar") ?? fixture.nobody)
            await log.until("l=false")
            return log.take("SDCFXul")
        },
        Behaviour("a document from its text", "S C F u=/b") { fixture, log in
            fixture.page.load(html: "<title>T</title>", baseURL: fixture.url("/b.html"))
            await log.until("p=1.0")
            await log.until("l=false")
            return log.take("SDCFX") + " u=/\(fixture.page.url?.lastPathComponent.first ?? "-")"
        },
    ]

    private static let urlChanges =
        "load /b?@0, commit /b@1, traversal /a?@1, traversal /a@0, traversal /b?@0, traversal /b@1, reload /b@1"

    @MainActor
    static func text(_ page: WebPage) -> String { " back=\(page.canGoBack) forward=\(page.canGoForward)" }
}

import Foundation
import Observation
import PageEngines
import PageModel

extension Behaviour {
    /// What stays in the document.
    static let states: [Behaviour] = [
        Behaviour("what the page does in its document", inDocument) { fixture, log in
            try await fixture.act(.hash("x"))
            try await fixture.act(.push("/p.html"))
            try await fixture.act(.push("/q.html"))
            try await fixture.act(.replace("/r.html"))
            await log.until(change: "replace")
            try await fixture.act(.go(-2))
            await log.until(change: "traversal")
            return log.takeChanges() + text(fixture.page)
        },
        Behaviour("nothing is loaded in a document", "h=2@1 u=/p") { fixture, log in
            try await fixture.act(.push("/p.html"))
            await log.until("h")
            return log.take("SDCFXulph")
        },
        Behaviour("three states in one turn are three changes", "push /1@1, push /2@2, push /3@3") { fixture, log in
            if let stub = fixture as? StubFixture {
                for n in 1...3 { stub.act(.push("/\(n)")) }
            } else {
                _ = try await fixture.page.evaluateJavaScript(
                    "for (const n of [1, 2, 3]) history.pushState(null, '', '/' + n); 0")
            }
            await log.until(change: "push /3")
            return log.takeChanges()
        },
        Behaviour("the same fragment again changes nothing", "hash /a#x@1, hash /a#y@2") { fixture, log in
            for fragment in ["x", "x", "y"] { try await fixture.act(.hash(fragment)) }
            await log.until(change: "hash /a#y")
            return log.takeChanges()
        },
        Behaviour("back in a document", "p=0.1 u=/a l=true l=false p=1.0 traversal /a@0") { fixture, log in
            try await fixture.act(.push("/p.html"))
            await log.until(change: "push")
            log.forget()
            fixture.page.goBack()
            await log.until(change: "traversal /a@0")
            await log.until("p=1.0")
            return log.take("SDCFXulp") + " " + log.takeChanges()
        },
        Behaviour("another title", "t=T A@0 T") { fixture, log in
            try await fixture.act(.title("T"))
            await log.until("t")
            let list = fixture.page.backForwardList
            return log.take("t") + " A@\(list.currentIndex ?? -1) \(list.currentItem?.title ?? "")"
        },
        Behaviour("an item keeps its id", "true") { fixture, log in
            let before = fixture.page.backForwardList.currentItem?.id
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            fixture.page.goBack()
            await log.until(change: "traversal /a@0")
            return "\(before != nil && before == fixture.page.backForwardList.currentItem?.id)"
        },
    ]

    private static let inDocument =
        "hash /a#x@1, push /p@2, push /q@3, replace /r@3, traversal /a#x@1 back=true forward=true"

    static let observations: [Behaviour] = [
        Behaviour("who has read a property is told before it changes", "before A after T") { fixture, log in
            let page = fixture.page
            let seen = Seen()
            withObservationTracking {
                _ = page.title
            } onChange: {
                MainActor.assumeIsolated { seen.text = page.title }
            }
            try await fixture.act(.title("T"))
            await log.until("t=T")
            return "before \(seen.text) after \(page.title)"
        },
        Behaviour("who has not read it is not told", "not told") { fixture, log in
            let page = fixture.page
            let seen = Seen()
            withObservationTracking {
                _ = page.hasOnlySecureContent
            } onChange: {
                MainActor.assumeIsolated { seen.text = "told" }
            }
            page.load(fixture.url("/b.html"))
            await log.until("F")
            return seen.text.isEmpty ? "not told" : seen.text
        },
        Behaviour("all that changes in one step is there at once", "u=/b.html p=0.1 l=true") { fixture, _ in
            let page = fixture.page
            let seen = Seen()
            let observation = page.backing.observe(.estimatedProgress) { notice in
                guard notice == .after, seen.text.isEmpty else { return }
                let state = page.backing.state
                seen.text = "u=\(state.url?.path() ?? "") p=\(state.estimatedProgress) l=\(state.isLoading)"
            }
            page.load(fixture.url("/b.html"))
            return withExtendedLifetime(observation) { seen.text }
        },
    ]
}

@MainActor
private final class Seen {
    var text = ""
}

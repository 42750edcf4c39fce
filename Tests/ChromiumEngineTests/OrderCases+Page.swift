import Foundation
import PageEngines
import PageModel

// What the page itself does.
extension OrderCase {
    /// Which is left at once.
    private static let loadC = { @MainActor @Sendable (page: WebPage, pages: Pages, log: EventLog) async throws in
        page.load(pages.url("/c"))
        await log.until("F", times: 2)
    }

    static let pageLoads: [OrderCase] = [
        OrderCase(
            "a link", of: "ASDRCFXulph",
            "A(/b linkActivated) p=0.1 l=true S R p=0.5 h=2@1 u=/b C h=2@1 p=1.0 l=false F",
            act: click("b")),
        OrderCase(
            "a link that a server redirects",
            answers: { $0["/a"] = .page("A", "<a id=r href=/r>r</a>") },
            "A(/r linkActivated) l=true S A(/b linkActivated redirect) D R u=/b C l=false F", act: click("r")),
        OrderCase("location =", "A(/b) l=true S R u=/b C l=false F", act: run("location = '/b'")),
        OrderCase(
            "location.replace", of: "ASRCFulh", "A(/b) l=true S R h=1@0 u=/b C h=1@0 l=false F",
            act: run("location.replace('/b')")),
        OrderCase("location.reload", "A(/a reload) l=true S R C l=false F", act: run("location.reload()")),
        OrderCase(
            "a document that replaces itself", of: "ASRCFu",
            answers: { $0["/c"] = .page("C", "<script>location.replace('/b')</script>") },
            "u=/c A(/c) S R C F A(/b) S R u=/b C F", act: loadC),
        OrderCase(
            "a document that goes elsewhere at once", of: "ASRCFu",
            answers: { $0["/c"] = .page("C", "<meta http-equiv=refresh content='0;url=/b'>") },
            "u=/c A(/c) S R C F A(/b) S R u=/b C F", act: loadC),
        OrderCase(
            "a form", answers: { $0["/a"] = .page("A", "<form id=f action=/b><input name=q value=1></form>") },
            "A(/b formSubmitted) l=true S R u=/b C l=false F", act: run("document.getElementById('f').submit()")),
        OrderCase(
            "a form that is posted",
            answers: { $0["/a"] = .page("A", "<form id=f method=post action=/b><input name=q value=1></form>") },
            "A(/b formSubmitted) l=true S R u=/b C l=false F", act: run("document.getElementById('f').submit()")),
        OrderCase(
            "a posted form's page again", of: "ASRCFu",
            answers: { $0["/a"] = .page("A", "<form id=f method=post action=/b><input name=q value=1></form>") },
            "A(/b formResubmitted) S R C F"
        ) { page, pages, log in
            try await run("document.getElementById('f').submit()")(page, pages, log)
            await log.until("F")
            _ = log.take()
            page.reload()
        },
        OrderCase(
            "history.back()", "A(/a backForward) l=true S R u=/a C l=false F",
            difference: (
                "h A(/a backForward) l=true S u=/a C l=false F",
                "the answer is decided upon again, and the list changes at the commit"
            )
        ) { page, pages, log in
            page.load(pages.url("/b"))
            await log.until("F")
            _ = log.take()
            try await run("history.back()")(page, pages, log)
        },
        OrderCase("a link refused", end: "A", "A(/b linkActivated)") { page, pages, log in
            log.policy = { _ in .cancel }
            try await click("b")(page, pages, log)
        },
        OrderCase(
            "a link to what is not shown", of: "ASRCFXulp", answers: { $0["/b"] = .noContent }, end: "p=1.0",
            "A(/b linkActivated) p=0.1 l=true S R(204) l=false X(102) p=1.0", act: click("b")),
    ]

    static let states: [OrderCase] = [
        OrderCase(
            "a link to a fragment", of: "ASRCFXulph", end: "u=/a#x", "h=2@1 u=/a#x",
            difference: (
                "A(/a#x linkActivated) h=2@1 u=/a#x",
                "Chromium tells of what stays in the document when it has happened"
            ), act: click("x")),
        OrderCase(
            "location.hash =", of: "ASRCFXulph", end: "u=/a#y", "h=2@1 u=/a#y",
            difference: ("A(/a#y) h=2@1 u=/a#y", "as for a link to a fragment"), act: run("location.hash = 'y'")),
        OrderCase(
            "three states in one turn", of: "ASRCFXulph", end: "u=/3", "h=2@1 u=/1 h=3@2 u=/2 h=4@3 u=/3",
            act: run("for (const n of [1, 2, 3]) history.pushState(n, '', '/' + n)")),
        OrderCase(
            "replaceState", of: "ASRCFXulp", end: "u=/1", "u=/1", act: run("history.replaceState(1, '', '/1')")),
        OrderCase(
            "back in the same document", of: "ASRCFXulph", end: "p=1.0", "p=0.1 u=/a l=true h=2@0 l=false p=1.0"
        ) { page, pages, log in
            try await run("history.pushState(1, '', '/1')")(page, pages, log)
            await log.until("u=/1")
            _ = log.take()
            page.goBack()
        },
        OrderCase(
            "history.go(-1) in the same document", of: "ASRCFXulph", end: "u=/a", "h=2@0 u=/a"
        ) { page, pages, log in
            try await run("history.pushState(1, '', '/1')")(page, pages, log)
            await log.until("u=/1")
            _ = log.take()
            try await run("history.back()")(page, pages, log)
        },
        OrderCase(
            "a state pushed while it loads", of: "ASRCFu",
            answers: { $0["/c"] = .page("C", "<script>history.pushState(1, '', '/1')</script>") },
            "u=/c A(/c) S R C u=/1 F"
        ) { page, pages, _ in page.load(pages.url("/c")) },
    ]

    static let frames: [OrderCase] = [
        OrderCase(
            "a frame", of: "ASRCFul", answers: { $0["/c"] = .page("C", "<iframe src=/in></iframe>") },
            "u=/c l=true A(/c) S R C A(/in) R l=false F"
        ) { page, pages, _ in page.load(pages.url("/c")) },
        OrderCase(
            "a frame of another origin", of: "ASRCFul",
            answers: { $0["/c"] = .page("C", "<iframe src='http://localhost:\($0.port)/in'></iframe>") },
            "u=/c l=true A(/c) S R C A(/in) R l=false F"
        ) { page, pages, _ in page.load(pages.url("/c")) },
        OrderCase(
            "a frame refused", of: "ASRCFXul", answers: { $0["/c"] = .page("C", "<iframe src=/in></iframe>") },
            "u=/c l=true A(/c) S R C A(/in) l=false F"
        ) { page, pages, log in
            log.policy = { $0.targetFrame?.isMainFrame == false ? .cancel : .allow }
            page.load(pages.url("/c"))
        },
        OrderCase(
            "a frame that goes elsewhere", of: "ASRCFXulph",
            answers: { $0["/a"] = .page("A", "<iframe src=/in></iframe>") }, end: "h=", "A(/in2) R h=2@1"
        ) { page, pages, log in
            try await run("frames[0].location = '/in2'")(page, pages, log)
        },
    ]
}

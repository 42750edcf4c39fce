import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Scripts that documents bring with them, in a real browser; the numbers are those of the facts about WebKit.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct UserScriptTests {
    private static let note = "window.notes = window.notes || []; notes.push"

    /// 4.1, 4.2, 4.3
    @Test func scriptsRunAtTheirTimeInTheirOrder() async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page(
                "a",
                """
                <script>notes.push("page"); document.addEventListener("DOMContentLoaded", () => notes.push("page's end"));</script>
                <script>notes.push("page again")</script>
                """)
            for (name, time) in [
                ("e1", WebPageUserScript.InjectionTime.atDocumentEnd), ("s1", .atDocumentStart),
                ("s2", .atDocumentStart),
                ("e2", .atDocumentEnd),
            ] {
                try page.addUserScript(
                    WebPageUserScript(
                        "\(Self.note)(['\(name)', document.readyState, !!document.documentElement, !!document.body].join(' '))",
                        at: time))
            }
            for _ in 1...2 {
                try await page.arrive(at: pages.url("/a"))
                let notes = try await page.evaluateJavaScript("notes")
                #expect(
                    notes.array?.map { $0.string?.prefix { $0 != " " } } == [
                        "s1", "s2", "page", "page", "e1", "e2", "page's",
                    ])
                #expect(notes[0]?.string?.hasPrefix("s1 loading true") == true, "\(notes)")
                #expect(notes[4] == "e1 interactive true true")
            }
        }
    }

    /// 4.4, 4.6, 4.8
    @Test func framesHaveThoseThatAreForThem() async throws {
        try await Chromium.withPage { page, pages in
            pages["/outer"] = .page(
                "outer", "<iframe src=/inner></iframe><iframe src='\(pages.url("/other", host: "localhost"))'></iframe>"
            )
            try await page.arrive(at: pages.url("/b"))
            try page.addUserScript(WebPageUserScript("\(Self.note)('main')", at: .atDocumentStart))
            try page.addUserScript(
                WebPageUserScript("\(Self.note)('all')", at: .atDocumentStart, forMainFrameOnly: false))
            let now = try await page.evaluateJavaScript("typeof notes")
            #expect(now == "undefined")
            let posted = Posted(3)
            try page.messageHandlers.add("h", posted)
            try page.addUserScript(
                WebPageUserScript(
                    "webkit.messageHandlers.h.postMessage([...notes, location.pathname])", at: .atDocumentEnd,
                    forMainFrameOnly: false))
            try await page.arrive(at: pages.url("/outer"))
            await posted.all()
            #expect(
                Set(posted.bodies) == [["main", "all", "/outer"], ["all", "/inner"], ["all", "/other"]])
            page.removeAllUserScripts()
            let kept = try await page.evaluateJavaScript("notes")
            #expect(kept == ["main", "all"])
            try await page.arrive(at: pages.url("/b"))
            let gone = try await page.evaluateJavaScript("typeof notes")
            #expect(gone == "undefined" && posted.messages.count == 3)
        }
    }

    /// 4.5
    @Test func aScriptRunsInItsWorld() async throws {
        try await Chromium.withPage { page, pages in
            for world in [WebPageContentWorld.page, .defaultClient, .named("w")] {
                try page.addUserScript(
                    WebPageUserScript(
                        "var mine = '\(world)'; function f() { return mine }", at: .atDocumentStart, world: world))
            }
            pages["/a"] = .page("a", "<script>var seen = f()</script>")
            try await page.arrive(at: pages.url("/a"))
            for world in [WebPageContentWorld.page, .defaultClient, .named("w")] {
                let mine = try await page.evaluateJavaScript("[mine, f(), typeof seen]", in: nil, world: world)
                #expect(mine == [.string("\(world)"), .string("\(world)"), world == .page ? "string" : "undefined"])
            }
        }
    }

    /// 4.7
    @Test func messageHandlersAreThereBeforeScripts() async throws {
        try await Chromium.withPage { page, pages in
            let posted = Posted()
            try page.addUserScript(
                WebPageUserScript("webkit.messageHandlers.h.postMessage('start')", at: .atDocumentStart))
            try page.messageHandlers.add("h", posted)
            try await page.arrive(at: pages.url("/a"))
            #expect(posted.bodies == ["start"])
        }
    }

    /// 4.10
    @Test func oneThatFailsStopsNeitherTheNextNorThePage() async throws {
        try await Chromium.withPage { page, pages in
            for source in [
                "throw new Error('mine')", "this is no program", "}); (() => {", "window.last = 'ran' // a comment",
            ] {
                try page.addUserScript(WebPageUserScript(source, at: .atDocumentStart))
                try page.addUserScript(WebPageUserScript(source, at: .atDocumentEnd))
            }
            pages["/a"] = .page("a", "<script>window.page = last</script>")
            try await page.arrive(at: pages.url("/a"))
            let ran = try await page.evaluateJavaScript("[last, window.page]")
            #expect(ran == ["ran", "ran"])
        }
    }

    /// A page's policy is about the page's own scripts.
    @Test func thePagesPolicyLetsThemRun() async throws {
        try await Chromium.withPage { page, pages in
            var strict = Pages.Answer.page("strict", "<p id=p>")
            strict.fields.append(("Content-Security-Policy", "default-src 'none'"))
            pages["/strict"] = strict
            for time in [WebPageUserScript.InjectionTime.atDocumentStart, .atDocumentEnd] {
                try page.addUserScript(WebPageUserScript("\(Self.note)('a')", at: time))
                try page.addUserScript(WebPageUserScript("var b = 1;\n\(Self.note)('b' + b)", at: time))
                try page.addUserScript(
                    WebPageUserScript("var notes = ['\(time)']", at: time, world: .defaultClient))
            }
            try await page.arrive(at: pages.url("/strict"))
            let notes = try await page.evaluateJavaScript("notes")
            #expect(notes == ["a", "b1", "a", "b1"])
            let others = try await page.evaluateJavaScript("notes", in: nil, world: .defaultClient)
            #expect(others == ["atDocumentEnd"])
        }
    }
}

import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Worlds and frames, in a real browser; the numbers are those of the facts about WebKit.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct WorldTests {
    private static let worlds: [WebPageContentWorld] = [.page, .defaultClient, .named("w"), .named("")]

    /// 3.29, 3.30, 3.31
    @Test func worldsShareTheDocumentAndNothingElse() async throws {
        try await Chromium.withPage { page, pages in
            for url in [nil, pages.url("/a"), pages.url("/b")] {
                if let url { try await page.arrive(at: url) }
                for world in Self.worlds {
                    let before = try await page.evaluateJavaScript(
                        "[typeof foo, document.body.zz === undefined]", in: nil, world: world)
                    #expect(before == ["undefined", true])
                    _ = try await page.callJavaScript(
                        "window.foo = name; document.body.zz = name; document.body.setAttribute('zz', name)",
                        arguments: ["name": .string("\(world)")], in: nil, world: world)
                }
                for world in Self.worlds {
                    let after = try await page.evaluateJavaScript(
                        "[foo, document.body.zz, document.body.getAttribute('zz')]", in: nil, world: world)
                    #expect(
                        after == [
                            .string("\(world)"), .string("\(world)"), .string("\(WebPageContentWorld.named(""))"),
                        ])
                }
            }
        }
    }

    /// 3.27, 3.28
    @Test func framesAreReachedAsLongAsTheyAreThere() async throws {
        try await Chromium.withPage { page, pages in
            pages["/outer"] = .page(
                "outer", "<iframe src=/inner></iframe><iframe src='\(pages.url("/other", host: "localhost"))'></iframe>"
            )
            let frames = try await page.frames(3, at: pages.url("/outer"))
            let other = try #require(frames.first { $0.securityOrigin.host == "localhost" })
            let inner = try #require(frames.first { $0.request.url.path() == "/inner" })
            let main = try #require(frames.first { $0.isMainFrame })
            for world in Self.worlds {
                for (frame, path) in [(other, "/other"), (inner, "/inner"), (main, "/outer")] {
                    let place = try await page.callJavaScript(
                        "window.mark = 1; return location.pathname + suffix", arguments: ["suffix": "!"], in: frame,
                        world: world)
                    #expect(place.string == path + "!")
                }
            }
            let call = Task {
                await page.failure(calling: "window.called = 1; await new Promise(r => window.keep = r)", in: other)
            }
            while try await page.evaluateJavaScript("window.called", in: other) != 1 {}
            // It goes elsewhere by itself, and is the same frame.
            try await page.evaluateJavaScript("location.href = '/elsewhere'; 0", in: inner)
            while try await page.evaluateJavaScript("location.pathname + (window.mark ?? '')", in: inner)
                != "/elsewhere"
            {}

            try await page.evaluateJavaScript("document.querySelectorAll('iframe')[1].remove()")
            #expect(await call.value == "4 Completion handler for function call is no longer reachable")
            for world in Self.worlds {
                #expect(await page.failure(evaluating: "1", in: other, world: world) == "12")
                #expect(await page.failure(calling: "return 1", in: other, world: world) == "12")
            }
            try await page.arrive(at: pages.url("/b"))
            #expect(await page.failure(evaluating: "1", in: inner) == "12")
            let place = try await page.evaluateJavaScript("location.pathname", in: main)
            #expect(place == "/b")
        }
    }

    /// Whatever document is there answers; none is lost between two.
    @Test func scriptsAreAnsweredWhileDocumentsChange() async throws {
        try await Chromium.withPage { page, pages in
            try await page.arrive(at: pages.url("/0"))
            for number in 1...5 {
                page.load(pages.url("/\(number)"))
                for world in Self.worlds {
                    let answer = await page.failure(evaluating: "1 + 1", world: world)
                    let isAnswered = answer == "no failure: 2"
                    #expect(isAnswered || answer.hasSuffix("no longer reachable"), "\(answer)")
                }
            }
            try await page.arrive(at: pages.url("/end"))
            let place = try await page.evaluateJavaScript("location.pathname", in: nil, world: .defaultClient)
            #expect(place == "/end")
        }
    }
}

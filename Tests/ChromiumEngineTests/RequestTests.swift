import BridgeDevTools
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// What a server is asked, and what a page made of a text is.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct RequestTests {
    private func load(_ request: WebPageRequest, _ page: WebPage, _ log: EventLog) async {
        page.load(request)
        await log.until("F")
        _ = log.take()
    }

    private func post(_ url: URL) -> WebPageRequest {
        WebPageRequest(
            url, method: "POST", headerFields: ["Content-Type": "text/plain", "x-own": "é".utf8.count.description],
            body: Data("a\u{0}b".utf8))
    }

    @Test func aRequestIsSentAsItIs() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            await load(post(pages.url("/p")), page, log)
            await load(WebPageRequest(pages.url("/g"), headerFields: ["X-Own": "1", "accept": "text/x"]), page, log)
            let (posted, got) = (pages.requests[0], pages.requests[1])
            #expect(posted.method == "POST" && posted.body == "a\u{0}b" && posted.fields["x-own"] == "2")
            #expect(posted.fields["content-type"] == "text/plain" && posted.fields["user-agent"] != nil)
            #expect(got.method == "GET" && got.fields["x-own"] == "1" && got.fields["accept"] == "text/x")
            #expect(log.actions[0].request == post(pages.url("/p")))
        }
    }

    /// Whoever waits for its end gets one, and the page goes on.
    @Test(arguments: [
        ("GET", "a b", "c"), ("GET", "", "x"), ("GET", "Host", "x"), ("GET", "X", "a\nb"), ("GET", "X", "a\u{0}"),
        ("GET", "Transfer-Encoding", "chunked"), ("POST", "Content-Length", "9"), ("POST", "Content-Length", "x"),
        ("a b", "X", "1"),
    ]) func whatCannotBeSentFailsAtOnce(_ method: String, _ name: String, _ value: String) async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            var errors: [String] = []
            log.onEvent = { event in
                if case .failedProvisional(_, let error) = event { errors.append("\(error)") }
            }
            let body = method == "POST" ? Data("a".utf8) : nil
            page.load(
                WebPageRequest(pages.url("/p"), method: method, headerFields: [name: value], body: body))
            await log.until("X")
            // A method that is none Chromium takes, and its network does not.
            let isNetworks = method == "a b"
            #expect(log.take("ASRCFX") == "A(/p) S X(\(isNetworks ? -1 : 1))" && !page.isLoading)
            let reason = isNetworks ? "net::ERR_FAILED" : "\(method) with \"\(name)\""
            #expect(errors.count == 1 && errors[0].contains(reason), "\(errors)")
            page.load(pages.url("/a"))
            await log.until("F")
            #expect(pages.log == "GET /a" && page.url == pages.url("/a"))
        }
    }

    /// 302 asks for the other with GET, 307 as before.
    @Test(arguments: [302, 307]) func aRedirectKeepsTheMethodAsHTTPSays(_ status: Int) async throws {
        try await Chromium.withPage { page, pages in
            pages["/r"] = .redirect("/b", status: status)
            let log = EventLog(page)
            await load(post(pages.url("/r")), page, log)
            #expect(pages.requests[1].method == (status == 302 ? "GET" : "POST"))
            #expect(pages.requests[1].body == (status == 302 ? "" : "a\u{0}b"))
            #expect(
                log.actions.last?.request.method == pages.requests[1].method && log.actions.last?.isRedirect == true)
        }
    }

    @Test func whatWasPostedIsPostedAgain() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            await load(post(pages.url("/p")), page, log)
            page.reload()
            await log.until("F")
            #expect(log.take("ASRCF") == "A(/p formResubmitted) S R C F")
            #expect(pages.log == "POST /p [a\u{0}b], POST /p [a\u{0}b]")
        }
    }

    /// The question says what the form would send.
    @Test func aFormIsDecidedUponWithItsBody() async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page("A", "<form id=f method=post action=/b><input name=q value=1></form>")
            let log = EventLog(page)
            await load(WebPageRequest(pages.url("/a")), page, log)
            _ = try await page.evaluateJavaScript("document.getElementById('f').submit(); 0")
            await log.until("F")
            let action = try #require(log.actions.last)
            #expect(action.request.method == "POST" && action.request.body == Data("q=1".utf8))
            #expect(action.navigationType == .formSubmitted && action.sourceFrame?.isMainFrame == true)
            #expect(pages.log == "GET /a, POST /b [q=1]")
        }
    }

    @Test func whatIsNotAllowedIsNotAsked() async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page("A", "<a id=l href=/no>x</a><iframe src=/no></iframe>")
            let log = EventLog(page)
            log.policy = { $0.request.url.path() == "/no" ? .cancel : .allow }
            await load(WebPageRequest(pages.url("/a")), page, log)
            _ = try await page.evaluateJavaScript("document.getElementById('l').click()")
            await log.until("A(/no linkActivated)")
            page.load(pages.url("/no"))
            await log.until("A(/no)")
            await load(WebPageRequest(pages.url("/b")), page, log)
            #expect(pages.log == "GET /a, GET /b")
        }
    }

    @Test func aDocumentFromItsTextIsWhereItsBaseURLSays() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            page.load(html: "<title>é</title><a href=rel>x</a><img src=pic>", baseURL: pages.url("/dir/base"))
            await log.until("F")
            let seen = try await page.evaluateJavaScript(
                "[location.href, origin, document.links[0].href, document.title].join(' ')")
            let base = pages.url("").absoluteString
            #expect(seen == .string("\(base)/dir/base \(base) \(base)/dir/rel é"))
            #expect(pages.log == "GET /dir/pic", "the server is asked for no document")
            #expect(page.url == pages.url("/dir/base") && page.backForwardList.items.count == 1 && page.title == "é")
        }
    }

    @Test func aDocumentWithoutABaseURLIsNobodys() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            await load(WebPageRequest(pages.url("/a")), page, log)
            await load(WebPageRequest(pages.url("/b")), page, log)
            page.load(html: "<title>T</title><script>document.title = origin + ' é'</script>")
            await log.until("F")
            #expect(page.title == "null é" && page.url?.absoluteString == "about:blank")
            #expect(page.backForwardList.items.map { $0.url.path() } == ["/a", "/b"])
            _ = log.take()
            page.goBack()
            await log.until("F")
            #expect(page.url == pages.url("/a") && page.title == "/a" && page.canGoForward)
        }
    }

    /// Nobody has listened on that port when the text's document came; so it is with its secure sibling.
    @Test func onlyWhatIsSecureIsSecure() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            let secure = try #require(URL(string: "https://secure.invalid/"))
            page.load(html: "<p>", baseURL: secure)
            await log.until("F")
            #expect(page.hasOnlySecureContent)
            // What is not secure does not come into a secure document: so it stays one.
            page.load(html: "<script src='http://nowhere.invalid/x.js'></script>", baseURL: secure)
            await log.until("F", times: 2)
            #expect(page.hasOnlySecureContent)
            page.load(pages.url("/a"))
            await log.until("F", times: 3)
            #expect(!page.hasOnlySecureContent)
        }
    }
}

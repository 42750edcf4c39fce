import Foundation
import PageEngines
import PageModel
import Testing

/// A load that fails says by what, and the document that was there stays: none of the browser's own takes its place.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct FailureTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: WebPageError
        let code: Int
        let url: @Sendable (Pages) -> URL

        init(
            _ name: String, _ error: WebPageError, _ code: Int, _ url: @escaping @Sendable (Pages) -> URL
        ) {
            testDescription = name
            self.error = error
            self.code = code
            self.url = url
        }

        /// Of what is said for `/x`.
        static func answer(_ name: String, _ answer: Pages.Answer, _ error: WebPageError, _ code: Int) -> Failure {
            Failure(name, error, code) { pages in
                pages["/x"] = answer
                return pages.url("/x")
            }
        }

        static let all = [
            Failure("nobody listens", .network("net::ERR_CONNECTION_REFUSED"), -1004) { _ in unused() },
            Failure("no such host", .network("net::ERR_NAME_NOT_RESOLVED"), -1003) { _ in
                URL(string: "http://nowhere.invalid/") ?? local("/")
            },
            Failure("no TLS", .network("net::ERR_FAILED"), -1) { pages in
                URL(string: "https://127.0.0.1:\(pages.port)/") ?? local("/")
            },
            Failure("a port that no page may use", .network("net::ERR_FAILED"), -1) { _ in
                URL(string: "http://127.0.0.1:9/") ?? local("/")
            },
            answer("no answer", .raw(""), .network("net::ERR_FAILED"), -1),
            answer("no HTTP", .raw("hello\r\n\r\n"), .network("net::ERR_FAILED"), -1),
            answer(
                "two lengths", .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
                .network("net::ERR_FAILED"), -1),
            answer("redirected for ever", .redirect("/x"), .network("net::ERR_TOO_MANY_REDIRECTS"), -1007),
            answer(
                "redirected to where nobody listens", .redirect(unused().absoluteString),
                .network("net::ERR_CONNECTION_REFUSED"), -1004),
            answer("redirected to an app", .redirect("app:open"), .cannotShowURL, 101),
            answer("redirected to a file", .redirect("file:///etc/passwd"), .cannotShowURL, 101),
            answer("redirected to the browser", .redirect("chrome://version"), .cannotShowURL, 101),
        ]
    }

    @Test(arguments: Failure.all) func itSaysWhatWasWrong(_ failure: Failure) async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            var errors: [WebPageError] = []
            log.onEvent = { event in
                if case .failedProvisional(_, let error) = event { errors.append(error) }
            }
            // With nothing there, and with a document there.
            page.load(failure.url(pages))
            await log.until("X")
            #expect(page.url == .some(URL(string: "about:blank") ?? local("/")) || page.url == nil)
            page.load(pages.url("/a"))
            await log.until("F")
            page.load(failure.url(pages))
            await log.until("X", times: 2)
            #expect(errors == [failure.error, failure.error])
            #expect(errors.map(\.code) == [failure.code, failure.code])
            let title = try await page.evaluateJavaScript("document.title")
            #expect(title == "/a")
            #expect(page.url == pages.url("/a") && page.backForwardList.items.map(\.url) == [pages.url("/a")])
            #expect(!page.isLoading)
            // And the next load is as any.
            page.load(pages.url("/b"))
            await log.until("F", times: 2)
            #expect(page.url == pages.url("/b") && page.backForwardList.items.count == 2)
        }
    }

    /// A server is asked once, whatever it says, and nobody goes on by an answer that nobody has decided upon.
    @Test(arguments: ["GET", "HEAD", "POST", "PUT"]) func whatHasFailedIsNotAskedForAgain(
        _ method: String
    ) async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            pages["/x"] = .raw("hello\r\n\r\n")
            page.load(WebPageRequest(pages.url("/x"), method: method, body: method == "POST" ? Data("a".utf8) : nil))
            await log.until("X(-1)")
            page.load(pages.url("/a"))
            await log.until("F")
            #expect(pages.requests.map(\.description) == ["\(method) /x\(method == "POST" ? " [a]" : "")", "GET /a"])
        }
    }

    /// Where a server sends to is asked about, even where nobody can go.
    @Test func aRedirectToAnAppCanBeRefused() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            pages["/x"] = .redirect("app:open")
            log.policy = { $0.isRedirect ? .cancel : .allow }
            page.load(pages.url("/x"))
            await log.until("X")
            #expect(log.take("ASDRCFX") == "A(/x) S A(app:open redirect) X(102)")
        }
    }

    // MARK: Errors that are answers

    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int
        let fields: [(name: String, value: String)]
        let body: String
        let hasLength: Bool

        var testDescription: String {
            "\(status) \(fields.map(\.name)) '\(body)'\(hasLength ? "" : " of unknown length")"
        }

        static let all: [Answer] = {
            let challenge = [(name: "WWW-Authenticate", value: "Basic realm=x")]
            let html = [(name: "Content-Type", value: "text/html")]
            let json = [(name: "Content-Type", value: "application/json")]
            return [400, 401, 404, 500, 503].flatMap { status in
                [true, false].flatMap { hasLength in
                    (status == 401 ? [[], html, challenge, html + challenge] : [[], html, json]).flatMap { fields in
                        ["", "<p>Sorry</p>"].map {
                            Answer(status: status, fields: fields, body: $0, hasLength: hasLength)
                        }
                    }
                }
            }
        }()
    }

    /// WebKit shows what there is, be it nothing.
    @Test func anErrorIsShownAsTheServerSaysIt() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            for answer in Answer.all {
                _ = log.take()
                let length = answer.hasLength ? "Content-Length: \(answer.body.utf8.count)\r\n" : ""
                let fields = answer.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
                pages["/e"] = .raw("HTTP/1.1 \(answer.status) No\r\n\(fields)\(length)\r\n\(answer.body)")
                page.load(pages.url("/e"))
                await log.until("p=1.0")
                await log.until("l=false")
                let told = log.take("ASDRCFX")
                #expect(told.hasPrefix("A(/e) S R(\(answer.status)) C"), "\(answer.testDescription)")
                let text = try await page.evaluateJavaScript("document.body.textContent.trim()")
                let expected = answer.body.isEmpty ? "" : "Sorry"
                guard case .string(let text) = text else { return #expect(Bool(false), "\(text)") }
                #expect(
                    answer.body.isEmpty ? text.isEmpty : text.contains(expected), "\(answer.testDescription): \(text)")
                #expect(page.url == pages.url("/e"))
            }
        }
    }
}

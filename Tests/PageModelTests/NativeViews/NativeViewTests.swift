import Testing

@testable import PageModel

enum Press: String, CaseIterable { case like, share }

/// Parts of a view, as text: `<p class="x">text</p>`, with text that is told from markup by ‹ and ›.
private func shape(_ nodes: [NativeView.Node]) -> String {
    nodes.map { node in
        switch node {
        case .text(let text): return "‹\(text)›"
        case .element(let element):
            let attributes = element.attributes.map { " \($0.name)=‹\($0.value)›" }.joined()
            return "<\(element.name)\(attributes)>\(shape(element.children))</\(element.name)>"
        }
    }.joined()
}

private func view(_ template: NativeView.Template, style: String = "") throws -> NativeView {
    try NativeView(label: "Test", events: Press.self, style: style, template) { _, _ in }
}

@Suite struct NativeViewTests {
    @Test func aTemplateIsElementsAttributesAndText() throws {
        let footer = try view(
            """
            <FOOTER class="a b" hidden><p>1 &lt; 2 &amp;&#38;&#x26; 3</p><br><img src='https://a.example/x.png' alt=""/>
            <button event="like" aria-label='"Like" it'>Like</button></footer>
            """)
        #expect(
            shape(footer.nodes) == """
                <footer class=‹a b› hidden=‹›><p>‹1 < 2 &&& 3›</p><br></br><img src=‹https://a.example/x.png› alt=‹›></img>‹
                ›<button event=‹like› aria-label=‹"Like" it›>‹Like›</button></footer>
                """)
    }

    private static let hostile = [
        "<script>alert(1)</script>", "</p><img src=x onerror=alert(1)>", "\" onclick=\"alert(1)", "' onclick='alert(1)",
        "&lt;b&gt;", "&quot;", "${alert(1)}", "--><script>", "]]>", "\u{0}<b>", "\u{202E}<b>", "{{x}}", "<!--", "",
        "é\u{301}🇫🇷",
    ]

    @Test(arguments: hostile) func whatIsInterpolatedStaysText(_ value: String) throws {
        let made = try view("<p title=\"\(value)\" data-x='a\(value)b'>x\(value)\(value)y</p>")
        #expect(shape(made.nodes) == "<p title=‹\(value)› data-x=‹a\(value)b›>‹x\(value)\(value)y›</p>")
        #expect(shape(try view("\(value)z").nodes) == "‹\(value)z›")
    }

    @Test func valuesOfOtherTypesAreTheirDescriptions() throws {
        #expect(shape(try view("<p>\(1) \(2.5) \(true) \("x".dropFirst(0))</p>").nodes) == "<p>‹1 2.5 true x›</p>")
    }

    /// What a template is refused for, at which line, and a word of what to do instead.
    private static let refused:
        [(template: NativeView.Template, fault: NativeViewError.Fault, line: Int, advice: String)] = [
            ("<script>alert(1)</script>", .element("script"), 1, "event="),
            ("<p>\n<ScRiPt src='https://a.example'></ScRiPt></p>", .element("script"), 2, "event="),
            ("<iframe></iframe>", .element("iframe"), 1, "WebPage"),
            ("<style>p{}</style>", .element("style"), 1, "style:"),
            ("<link>", .element("link"), 1, "style:"),
            ("<object></object>", .element("object"), 1, "WebPage"),
            ("<embed>", .element("embed"), 1, "WebPage"),
            ("<svg></svg>", .element("svg"), 1, "<img>"),
            ("<base>", .element("base"), 1, "use one of"),
            ("<meta>", .element("meta"), 1, "use one of"),
            ("<template></template>", .element("template"), 1, "use one of"),
            ("<slot></slot>", .element("slot"), 1, "use one of"),
            ("<x-y></x-y>", .element("x-y"), 1, "use one of"),
            ("<p onclick=\"x\"></p>", .attribute("onclick", of: "p"), 1, "event="),
            ("<p\n\nONCLICK=\"x\"></p>", .attribute("onclick", of: "p"), 3, "event="),
            ("<p style=\"color: red\"></p>", .attribute("style", of: "p"), 1, "class"),
            ("<img srcdoc=\"x\">", .attribute("srcdoc", of: "img"), 1, "data-*"),
            ("<img srcset=\"x\">", .attribute("srcset", of: "img"), 1, "data-*"),
            ("<form action=\"https://a.example\"></form>", .attribute("action", of: "form"), 1, "data-*"),
            ("<button formaction=\"https://a.example\"></button>", .attribute("formaction", of: "button"), 1, "data-*"),
            ("<p href=\"https://a.example\"></p>", .attribute("href", of: "p"), 1, "only <a>"),
            ("<input src=\"https://a.example\">", .attribute("src", of: "input"), 1, "only <img>"),
            ("<input type=\"file\">", .attribute("type", of: "input"), 1, "text"),
            ("<input type=\"hidden\">", .attribute("type", of: "input"), 1, "text"),
            ("<a ping=\"https://a.example\"></a>", .attribute("ping", of: "a"), 1, "data-*"),
            ("<p id=\"a\" id=\"b\"></p>", .attribute("id", of: "p"), 1, "leave one out"),
            ("<button event=\"lik\"></button>", .event("lik"), 1, "like, share"),
            ("<button event=\"\"></button>", .event(""), 1, "like, share"),
            ("<button event=\"\("lik")\"></button>", .event("lik"), 1, "like, share"),
            ("<p>", .markup, 1, "</p>"),
            ("<div>\n<p>\n</div>", .markup, 3, "close <p> of line 2"),
            ("</p>", .markup, 1, "leave it out"),
            ("<br></br>", .markup, 1, "leave it out"),
            ("<p/>", .markup, 1, "<p></p>"),
            ("<p", .markup, 1, "write <p>"),
            ("</p", .markup, 1, "write </p>"),
            ("<p id=x></p>", .markup, 1, "quotes"),
            ("<p id=\(1)></p>", .markup, 1, "around a value"),
            ("<p id=\"x></p>", .markup, 1, "close its quotes"),
            ("<p id=\"a\"class=\"b\"></p>", .markup, 1, "space"),
            ("<p \("hidden")></p>", .markup, 1, "value of an attribute"),
            ("<\("script")></p>", .markup, 1, "into the template"),
            ("1 < 2", .markup, 1, "&lt;"),
            ("<", .markup, 1, "&lt;"),
            ("a & b", .markup, 1, "&amp;"),
            ("&nosuch;", .markup, 1, "&amp;"),
            ("&#xD800;", .markup, 1, "&amp;"),
            ("&#x110000;", .markup, 1, "&amp;"),
            ("&lt\("x");", .markup, 1, "&amp;"),
            ("<!-- x -->", .markup, 1, "leave it out"),
            ("<!doctype html>", .markup, 1, "leave it out"),
            ("<?xml?>", .markup, 1, "leave it out"),
        ]

    @Test(arguments: refused.indices) func aTemplateIsRefusedSayingWhatWhereAndWhatToDo(_ index: Int) {
        let row = Self.refused[index]
        let error = #expect(throws: NativeViewError.self) { _ = try view(row.template) }
        #expect(error?.fault == row.fault && error?.line == row.line, "\(row.template): \(String(describing: error))")
        #expect(error?.message.contains(row.advice) == true, "\(String(describing: error))")
    }

    private static let refusedURLs = [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
        "java\nscript:alert(1)",
        "\u{1}javascript:alert(1)", "data:text/html,x", "blob:https://a.example/1", "file:///etc/passwd", "vbscript:x",
        "",
        "/relative", "relative", "//a.example", "http:", "http:a.example", "http:/a.example", "http://",
        "https:///a.example",
        " https://a.example", "https://a.example ", "ht\ttp://a.example", "https://a.example/\n", "https:\\\\a.example",
        "ftp://a.example", "https://a.example/a b", "jаvascript:x", "http", "view-source:https://a.example",
    ]

    @Test(arguments: refusedURLs) func onlyHTTPIsAURL(_ url: String) {
        for template in ["<a href=\"\(url)\">x</a>", "<img src='\(url)'>"] as [NativeView.Template] {
            let error = #expect(throws: NativeViewError.self) { _ = try view(template) }
            if case .url(let refused, _)? = error?.fault { #expect(refused == url) } else { Issue.record("\(url)") }
        }
        #expect(throws: NativeViewError.self) { _ = try view("", style: "p { background: url(\"\(url)\") }") }
    }

    @Test(arguments: [
        "https://a.example", "HTTP://a.example/x?y#z", "http://127.0.0.1:80/ü", "https://a.example/javascript:x",
    ])
    func httpIsAURL(_ url: String) throws {
        #expect(shape(try view("<a href='\(url)'></a>").nodes) == "<a href=‹\(url)›></a>")
        _ = try view("", style: "p { background: url( '\(url)' ) }")
        _ = try view("", style: "p { background: URL(\(url)) }")
    }

    @Test(arguments: [
        ("@import 'https://a.example/a.css';", 1, "@import"), ("p {}\n@IMPORT url(https://a.example)", 2, "@import"),
        ("@\\69mport 'x'", 1, "\\"), ("p { background: \\75rl(x) }", 1, "\\"),
        ("p { background: url(x.png) }", 1, "url(x.png)"),
        ("p { background: url(data:image/png,x) }", 1, "data:"),
        ("/* \n */ p { background: uRl( 'javascript:x' ) }", 2, "url("),
        ("p { background: image-set('x.png' 1x) }", 1, "image-set"), ("@font-face { src: src('x') }", 1, "src()"),
        ("p { content: 'x }", 1, "quotes"), ("p {} /* x", 1, "comment"),
        ("p { background: url('\\68ttp://x') }", 1, "url("),
    ]) func aStyleThatLoadsOtherThingsIsRefused(_ style: String, _ line: Int, _ word: String) {
        let error = #expect(throws: NativeViewError.self) { _ = try view("", style: style) }
        #expect(error?.fault == .style && error?.line == line, "\(String(describing: error))")
        #expect(error?.message.contains(word) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        "", ":host { display: block } button:hover::before { content: '\\2014 \\'@import url(x)' }",
        "@media (prefers-color-scheme: dark) { p { color: white } } /* @import url(x) */",
        "p { width: calc(100% - 2px) }",
        ".curl { color: red } .a-url(x) {}",
    ]) func aStyleIsTakenAsItIs(_ style: String) throws {
        #expect(try view("", style: style).style == style)
    }

    @Test(arguments: ["", " ", "\n"]) func aLabelSaysSomething(_ label: String) {
        let error = #expect(throws: NativeViewError.self) { _ = try NativeView(label: label, "x") }
        #expect(error?.fault == .label)
    }

    @Test func aViewWithoutEventsHasNone() {
        let error = #expect(throws: NativeViewError.self) { _ = try NativeView(label: "x", "<p event='like'></p>") }
        #expect("\(String(describing: error))".contains("handler"))
    }

    @Test func whatIsNestedForEverIsRefused() throws {
        let deep = { (count: Int) in
            NativeView.Template(
                stringLiteral: String(repeating: "<b>", count: count) + String(repeating: "</b>", count: count))
        }
        _ = try view(deep(64))
        for count in [65, 100_000] {
            #expect(throws: NativeViewError.self) { _ = try view(deep(count)) }
        }
    }

    @MainActor @Test func eventsComeTyped() throws {
        var heard: [(Press, String?)] = []
        let made = try NativeView(label: "x", events: Press.self, "") { heard.append(($0, $1)) }
        made.handle("share", "v")
        made.handle("nothing of ours", nil)
        made.handle("like", nil)
        #expect(heard.map(\.0) == [.share, .like] && heard.map(\.1) == ["v", nil])
    }
}

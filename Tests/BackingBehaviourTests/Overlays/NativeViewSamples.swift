import PageModel

/// Views with all that a view may have.
enum NativeViewSamples {
    private static let elements = """
        a abbr address article aside b blockquote br button caption cite code dd del details div dl dt em fieldset figcaption \
        figure footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li mark meter nav ol optgroup option \
        output p pre progress q s samp section select small span strong sub summary sup table tbody td textarea tfoot th thead \
        time tr u ul var wbr
        """
    private static let attributes = """
        alt autocomplete checked class cols colspan datetime dir disabled enterkeyhint for height hidden high id inputmode label \
        lang low max maxlength min minlength multiple name open optimum pattern placeholder readonly rel required reversed \
        role rows rowspan scope selected size start step tabindex title value width aria-label data-x
        """
    private static let empty: Set<Substring> = ["br", "hr", "img", "input", "wbr"]

    /// - Parameter value: of the attributes, and between the elements.
    static func all(_ value: String) -> [NativeView.Template] {
        let nested = elements.split(separator: " ").map { name in
            empty.contains(name) ? "<\(name) title=\"x\">" : "<\(name) title=\"x\">text<\(name)></\(name)></\(name)>"
        }.joined()
        let all = attributes.split(separator: " ").map { "\($0)=\"v\"" }.joined(separator: " ")
        var text = NativeView.Template.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for name in attributes.split(separator: " ") {
            text.appendLiteral("<p \(name)=\"")
            text.appendInterpolation(value)
            text.appendLiteral("\">")
            text.appendInterpolation(value)
            text.appendLiteral("</p>")
        }
        return [
            NativeView.Template(stringLiteral: nested), NativeView.Template(stringLiteral: "<p \(all)></p>"),
            NativeView.Template(stringInterpolation: text),
            "<a event=\"like\" href=\"http://127.0.0.1/\(1)\">\(value)</a><img src='http://127.0.0.1:9/x.png'>",
            NativeView.Template(
                stringLiteral: String(repeating: "<b>", count: 64) + String(repeating: "</b>", count: 64)),
        ]
    }
}

/// What the markup of a ``NativeView`` may have.
enum TemplateRules {
    /// Without those that run, load or frame something, and those that a document has once.
    static let elements = Set(
        """
        a abbr address article aside b blockquote br button caption cite code dd del details div dl dt em \
        fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li mark meter nav \
        ol optgroup option output p pre progress q s samp section select small span strong sub summary sup table tbody td \
        textarea tfoot th thead time tr u ul var wbr
        """.split(separator: " ").map(String.init))

    /// Those without an end.
    static let empty: Set<String> = ["br", "hr", "img", "input", "wbr"]

    /// On all elements; `aria-*` and `data-*` too.
    private static let attributes = Set(
        """
        alt autocomplete checked class cols colspan datetime dir disabled enterkeyhint event for height hidden high id inputmode \
        label lang low max maxlength min minlength multiple name open optimum pattern placeholder readonly rel required \
        reversed role rows rowspan scope selected size start step tabindex title type value width
        """.split(separator: " ").map(String.init))

    /// What has a URL, and may.
    private static let links: [String: String] = ["href": "a", "src": "img"]

    static func isURL(_ attribute: String, of element: String) -> Bool { links[attribute] == element }

    static func mayHave(_ attribute: String, _ element: String) -> Bool {
        attributes.contains(attribute) || isURL(attribute, of: element) || attribute.hasPrefix("aria-")
            || attribute.hasPrefix("data-")
    }

    /// Of an `<input>`: without those that hide, load or read a file.
    static let inputTypes = Set(
        """
        button checkbox color date datetime-local email month number password radio range reset search submit tel text time \
        url week
        """.split(separator: " ").map(String.init))

    /// What to do instead of an element.
    static func advice(for element: String) -> String {
        switch element {
        case "script": "give an element event=\"…\" and handle it in Swift"
        case "style", "link": "pass the CSS as style:"
        case "iframe", "frame", "object", "embed", "portal": "load the page in a WebPage of its own"
        case "svg", "math", "video", "audio", "canvas": "use <img>"
        default: "use one of \(elements.sorted().joined(separator: ", "))"
        }
    }

    static func advice(forAttribute name: String, of element: String) -> String {
        if name.hasPrefix("on") { return "give the element event=\"…\" and handle it in Swift" }
        if name == "style" { return "give the element a class, and pass the CSS as style:" }
        if let owner = links[name] { return "only <\(owner)> has one" }
        return "use a class, an id, aria-* or data-*"
    }

    /// Whether a browser takes it for an absolute http or https URL, whatever it drops from a URL before it looks at it.
    static func isHTTP(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return false }
        let rest = url.unicodeScalars.dropFirst(scheme.count)
        guard rest.starts(with: "://".unicodeScalars), let first = rest.dropFirst(3).first else { return false }
        return first != "/" && url.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" }
    }
}

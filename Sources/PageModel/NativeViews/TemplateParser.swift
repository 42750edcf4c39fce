/// Reads the markup of a ``NativeView``: a small part of HTML, strictly. Values between the markup are text wherever they
/// stand, and stand only where text can.
struct TemplateParser {
    private enum Unit {
        case scalar(Unicode.Scalar)
        case value(String)
    }

    private struct Open {
        var element: NativeView.Element
        let line: Int
    }

    private let units: [Unit]
    private let events: [String]
    private var index = 0
    private var line = 1
    private var text = ""
    private var open: [Open] = []
    private var roots: [NativeView.Node] = []

    /// A page's codec goes no deeper than some hundreds.
    private static let depth = 64

    init(_ template: NativeView.Template, events: [String]) {
        units = template.parts.flatMap { part in
            switch part {
            case .markup(let text): text.unicodeScalars.map { Unit.scalar($0) }
            case .value(let text): [Unit.value(text)]
            }
        }
        self.events = events
    }

    mutating func parse() throws(NativeViewError) -> [NativeView.Node] {
        while index < units.count {
            switch units[index] {
            case .scalar("<"): try readTag()
            case .scalar("&"): text.unicodeScalars.append(try readReference())
            default: text += readUnit()
            }
        }
        endText()
        if let last = open.last {
            line = last.line
            throw fault(.markup, "<\(last.element.name)> is not closed", "add </\(last.element.name)>")
        }
        return roots
    }

    // MARK: Tags

    private mutating func readTag() throws(NativeViewError) {
        step()
        switch scalar {
        case "/": try readEnd()
        case "!", "?": throw fault(.markup, "comments and declarations are not taken", "leave it out")
        case let first? where Self.isLetter(first): try readStart()
        default:
            if index < units.count, scalar == nil {
                throw fault(.markup, "a value cannot be the name of an element", "write the name into the template")
            }
            throw fault(.markup, "a < begins no element", "write &lt;")
        }
    }

    private mutating func readEnd() throws(NativeViewError) {
        step()
        let name = readName()
        skipSpace()
        guard scalar == ">" else { throw fault(.markup, "</\(name) has no end", "write </\(name)>") }
        endText()
        guard let last = open.last, last.element.name == name else {
            let advice = open.last.map { "close <\($0.element.name)> of line \($0.line) first" } ?? "leave it out"
            throw fault(.markup, "</\(name)> closes nothing", advice)
        }
        step()
        open.removeLast()
        append(.element(last.element))
    }

    private mutating func readStart() throws(NativeViewError) {
        let start = line
        let name = readName()
        guard TemplateRules.elements.contains(name) else {
            throw fault(.element(name), "<\(name)> is not taken", TemplateRules.advice(for: name))
        }
        endText()
        var element = NativeView.Element(name: name, attributes: [], children: [])
        let isEmpty = TemplateRules.empty.contains(name)
        while true {
            let hadSpace = skipSpace()
            switch scalar {
            case ">":
                step()
                if isEmpty { return append(.element(element)) }
                guard open.count < Self.depth else {
                    throw fault(.markup, "<\(name)> is nested too deeply", "have at most \(Self.depth) levels")
                }
                return open.append(Open(element: element, line: start))
            case "/":
                step()
                guard scalar == ">", isEmpty else {
                    throw fault(.markup, "<\(name)/> is no element without an end", "write <\(name)></\(name)>")
                }
                step()
                return append(.element(element))
            case let first? where Self.isLetter(first) && hadSpace:
                let attribute = try readAttribute(of: name)
                guard !element.attributes.contains(where: { $0.name == attribute.name }) else {
                    throw fault(
                        .attribute(attribute.name, of: name), "\(attribute.name) is there twice", "leave one out")
                }
                element.attributes.append(attribute)
            case nil where index < units.count:
                throw fault(
                    .markup, "a value stands in <\(name)> by itself", "write it as the value of an attribute, in quotes"
                )
            default: throw fault(.markup, "<\(name) has no end", "write <\(name)>, and a space before each attribute")
            }
        }
    }

    private mutating func readAttribute(of element: String) throws(NativeViewError) -> NativeView.Attribute {
        let name = readName()
        guard TemplateRules.mayHave(name, element) else {
            throw fault(
                .attribute(name, of: element), "\(name) is not taken on <\(element)>",
                TemplateRules.advice(forAttribute: name, of: element))
        }
        var value = ""
        if scalar == "=" {
            step()
            guard let quote = scalar, quote == "\"" || quote == "'" else {
                throw fault(
                    .markup, "the value of \(name) is not in quotes",
                    "write \(name)=\"…\", also around a value from Swift")
            }
            step()
            while scalar != quote {
                guard index < units.count else {
                    throw fault(.markup, "the value of \(name) has no end", "close its quotes")
                }
                if scalar == "&" {
                    value.unicodeScalars.append(try readReference())
                } else {
                    value += readUnit()
                }
            }
            step()
        }
        try check(name, value, of: element)
        return NativeView.Attribute(name: name, value: value)
    }

    private func check(_ name: String, _ value: String, of element: String) throws(NativeViewError) {
        if TemplateRules.isURL(name, of: element), !TemplateRules.isHTTP(value) {
            throw fault(
                .url(value, in: name), "\(name)=\"\(value)\" is no http or https URL",
                "give the whole URL, percent-encoded, beginning with https:// or http://")
        }
        if element == "input", name == "type", !TemplateRules.inputTypes.contains(value) {
            throw fault(
                .attribute(name, of: element), "type=\"\(value)\" is not taken on <input>",
                "use one of \(TemplateRules.inputTypes.sorted().joined(separator: ", "))")
        }
        if name == "event", !events.contains(value) {
            let advice =
                events.isEmpty
                ? "pass events: and a handler" : "use one of \(events.joined(separator: ", ")), or add a case"
            throw fault(.event(value), "\"\(value)\" is none of the view's events", advice)
        }
    }

    // MARK: Text

    private static let references: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    private mutating func readReference() throws(NativeViewError) -> Unicode.Scalar {
        let start = index
        step()
        var name = ""
        while let next = scalar, name.utf8.count < 10, next == "#" || Self.isLetter(next) || Self.isDigit(next) {
            name.unicodeScalars.append(next)
            step()
        }
        var found = Self.references[name]
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            found = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        } else if name.hasPrefix("#") {
            found = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
        }
        guard let found, scalar == ";" else {
            index = start
            throw fault(.markup, "& begins no character", "write &amp;")
        }
        step()
        return found
    }

    private mutating func readUnit() -> String {
        defer { step() }
        switch units[index] {
        case .scalar(let scalar): return String(scalar)
        case .value(let value): return value
        }
    }

    private mutating func endText() {
        guard !text.isEmpty else { return }
        append(.text(text))
        text = ""
    }

    private mutating func append(_ node: NativeView.Node) {
        if open.isEmpty { roots.append(node) } else { open[open.count - 1].element.children.append(node) }
    }

    // MARK: Units

    /// nil at the end, and where a value stands.
    private var scalar: Unicode.Scalar? {
        guard index < units.count, case .scalar(let scalar) = units[index] else { return nil }
        return scalar
    }

    private mutating func step() {
        if scalar == "\n" { line += 1 }
        index += 1
    }

    private mutating func readName() -> String {
        var name = ""
        while let next = scalar, Self.isLetter(next) || Self.isDigit(next) || next == "-" {
            name.unicodeScalars.append(next)
            step()
        }
        return name.lowercased()
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while let next = scalar, next == " " || next == "\n" || next == "\t" || next == "\r" { step() }
        return index > start
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private func fault(_ fault: NativeViewError.Fault, _ what: String, _ advice: String) -> NativeViewError {
        NativeViewError(fault, line: line, what, advice)
    }
}

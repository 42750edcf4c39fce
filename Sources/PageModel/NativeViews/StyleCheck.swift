/// Looks through the CSS of a ``NativeView`` for what loads something.
struct StyleCheck {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1

    static func check(_ style: String) throws(NativeViewError) {
        var check = StyleCheck(scalars: Array(style.unicodeScalars))
        try check.run()
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private mutating func run() throws(NativeViewError) {
        while let next = scalar {
            switch next {
            case "/" where peek(1) == "*": try skipComment()
            case "\"", "'": _ = try readString()
            // Another way to write a name, such as url or import.
            case "\\": throw fault("a \\ stands outside of quotes", "write the character itself")
            case "@":
                step()
                if readName() == "import" { throw fault("@import is not taken", "put the rules into the style itself") }
            default:
                let name = readName()
                if name.isEmpty { step() } else if scalar == "(" { try checkFunction(name) }
            }
        }
    }

    private mutating func checkFunction(_ name: String) throws(NativeViewError) {
        step()
        switch name {
        case "url":
            let url = try readURL()
            guard TemplateRules.isHTTP(url) else {
                throw fault(
                    "url(\(url)) is no http or https URL", "give the whole URL, beginning with https:// or http://")
            }
        case "src", "image", "image-set", "-webkit-image-set":
            throw fault("\(name)() is not taken", "use url() with an http or https URL")
        default: break
        }
    }

    private mutating func readURL() throws(NativeViewError) -> String {
        while let next = scalar, next.properties.isWhitespace { step() }
        if scalar == "\"" || scalar == "'" { return try readString() }
        var url = ""
        while let next = scalar, next != ")" {
            url.unicodeScalars.append(next)
            step()
        }
        return String(url.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// - Returns: what stands between the quotes, with its backslashes.
    private mutating func readString() throws(NativeViewError) -> String {
        let quote = scalar
        let start = line
        var text = ""
        step()
        while let next = scalar, next != quote, next != "\n" {
            text.unicodeScalars.append(next)
            step()
            if next == "\\", let escaped = scalar {
                text.unicodeScalars.append(escaped)
                step()
            }
        }
        guard scalar == quote else {
            line = start
            throw fault("quotes are not closed", "close them on the same line")
        }
        step()
        return text
    }

    private mutating func skipComment() throws(NativeViewError) {
        let start = line
        index += 2
        while index < scalars.count, !(scalar == "*" && peek(1) == "/") { step() }
        guard index < scalars.count else {
            line = start
            throw fault("a comment is not closed", "write */ behind it")
        }
        index += 2
    }

    private mutating func readName() -> String {
        var name = ""
        while let next = scalar,
            next == "-" || next == "_" || next.value >= 0x80 || next.properties.isAlphabetic
                || ("0"..."9").contains(next)
        {
            name.unicodeScalars.append(next)
            step()
        }
        return name.lowercased()
    }

    private var scalar: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func peek(_ offset: Int) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private mutating func step() {
        if scalar == "\n" { line += 1 }
        index += 1
    }

    private func fault(_ what: String, _ advice: String) -> NativeViewError {
        NativeViewError(.style, line: line, what, advice)
    }
}

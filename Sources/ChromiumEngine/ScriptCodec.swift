internal import WebFixtures

/// The client's own codec, as functions that can be called in a page.
enum ScriptCodec {
    /// A module's text, without the word that makes it one.
    private static let module = String(decoding: WebFixtures.contents("client/codec.mjs") ?? [], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
        .joined(separator: "\n")

    /// Of `this`, as text; throws what WebKit cannot serialise.
    static let encode = "function() {\n\(module)\nreturn JSON.stringify(encodeTagged(this));\n}"
    /// Of the tagged form.
    static let decode = "function(tagged) {\n\(module)\nreturn decode(tagged);\n}"
}

/// What a ``NativeOverlay`` shows, and stands for a view of the app's: a piece of markup that is written in Swift, put into
/// the page out of reach of the page's own scripts and styles.
///
/// ```swift
/// enum FooterEvent: String, CaseIterable { case like, share }
/// let footer = try NativeView(label: "Article footer", events: FooterEvent.self, style: "footer { padding: 12px }", """
///     <footer><p>\(article.title)</p><button event="like">Like</button></footer>
///     """) { event, value in … }
/// ```
/// What stands in the template is markup, and what is interpolated is text, whatever is in it: in content and in the values
/// of attributes. The markup is checked when the view is made. Elements are those of text, lists, tables and forms; `href`
/// and `src` are http or https; what can run a script, or frame something, is refused, and so is `style=`: the style is a
/// text of its own, for this view alone.
///
/// An element with `event="name"` tells: a button or a link when it is pressed, a field when it has another value, a form when
/// it is sent.
public struct NativeView: Sendable {
    /// Its name for those who do not see it.
    public let label: String
    /// CSS for this view alone.
    public let style: String
    let nodes: [Node]
    /// Called with an event's name and value.
    let handle: @MainActor (String, String?) -> Void

    /// A view that tells nothing.
    ///
    /// - Throws: ``NativeViewError``.
    public init(label: String, style: String = "", _ template: Template) throws {
        try self.init(label, style, template, [], { _, _ in })
    }

    /// A view whose events come to `handler`.
    ///
    /// - Parameters:
    ///   - label: its name for those who do not see it.
    ///   - events: the names that `event="…"` may have.
    ///   - style: CSS for this view alone. `url()` must be http or https, and there is no `@import`.
    ///   - handler: called on the main actor with what was used, and the value of a field.
    /// - Throws: ``NativeViewError``.
    public init<Event: RawRepresentable & CaseIterable>(
        label: String, events: Event.Type, style: String = "", _ template: Template,
        handler: @escaping @MainActor (Event, String?) -> Void
    ) throws where Event.RawValue == String {
        try self.init(label, style, template, events.allCases.map(\.rawValue)) { name, value in
            if let event = Event(rawValue: name) { handler(event, value) }
        }
    }

    private init(
        _ label: String, _ style: String, _ template: Template, _ events: [String],
        _ handle: @escaping @MainActor (String, String?) -> Void
    ) throws {
        guard label.contains(where: { !$0.isWhitespace }) else {
            throw NativeViewError(
                .label, line: 1, "the label is empty", "say what the view is, for those who do not see it")
        }
        try StyleCheck.check(style)
        var parser = TemplateParser(template, events: events)
        nodes = try parser.parse()
        self.label = label
        self.style = style
        self.handle = handle
    }

    /// A part of a view.
    enum Node: Hashable, Sendable {
        case text(String)
        indirect case element(Element)
    }

    struct Element: Hashable, Sendable {
        var name: String
        var attributes: [Attribute]
        var children: [Node]
    }

    struct Attribute: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// Markup, with values between it that are text.
    public struct Template: ExpressibleByStringInterpolation, Sendable {
        enum Part: Sendable {
            case markup(String)
            case value(String)
        }

        let parts: [Part]

        public init(stringLiteral value: String) { parts = [.markup(value)] }

        /// Of the parts, in order.
        public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

        /// Collects the parts of a template.
        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            fileprivate(set) var parts: [Part] = []

            /// Without parts.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Adds markup.
            public mutating func appendLiteral(_ literal: String) { parts.append(.markup(literal)) }

            /// Adds text.
            public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
                parts.append(.value(value.description))
            }
        }
    }
}

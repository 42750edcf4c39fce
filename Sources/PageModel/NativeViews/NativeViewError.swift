/// Why a ``NativeView`` is not made: what is wrong, where, and what to do instead.
public struct NativeViewError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Fault: Hashable, Sendable {
        /// An element that no view may have.
        case element(String)
        /// An attribute that no view may have, or not on that element.
        case attribute(String, of: String)
        /// A URL that is neither http nor https; what has it.
        case url(String, in: String)
        /// A name that is none of the view's events.
        case event(String)
        /// What is no markup: an element that is not closed, a stray `<`.
        case markup
        /// Something in the style.
        case style
        /// The label.
        case label
    }

    /// What is wrong.
    public var fault: Fault
    /// In the template or the style, from 1.
    public var line: Int
    /// What is wrong, and what to do.
    public var message: String

    init(_ fault: Fault, line: Int, _ what: String, _ advice: String) {
        self.fault = fault
        self.line = line
        message = "\(what): \(advice)"
    }
}

extension NativeViewError: CustomStringConvertible {
    public var description: String {
        switch fault {
        case .label: message
        case .style: "line \(line) of the style: \(message)"
        default: "line \(line): \(message)"
        }
    }
}

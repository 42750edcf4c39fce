/// Colours of a stream, or none: every method returns its text as it is when colour is off.
struct Style: Sendable {
    let enabled: Bool

    func bold(_ text: String) -> String { wrap(text, "1", "22") }
    func dim(_ text: String) -> String { wrap(text, "2", "22") }
    func red(_ text: String) -> String { wrap(text, "31", "39") }
    func green(_ text: String) -> String { wrap(text, "32", "39") }
    func yellow(_ text: String) -> String { wrap(text, "33", "39") }
    func cyan(_ text: String) -> String { wrap(text, "36", "39") }
    /// MSW's orange, as near as the 256 colours have it.
    func orange(_ text: String) -> String { wrap(text, "38;5;208", "39") }

    private func wrap(_ text: String, _ on: String, _ off: String) -> String {
        enabled ? "\u{1B}[\(on)m\(text)\u{1B}[\(off)m" : text
    }
}

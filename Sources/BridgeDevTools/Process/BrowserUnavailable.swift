/// Why there is no browser.
package struct BrowserUnavailable: Error, Sendable, CustomStringConvertible {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}

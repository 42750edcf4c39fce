/// What a page is shown on: the screen's size, its colours, and what the page is told of the browser.
public struct ChromiumAppearance: Hashable, Sendable {
    /// A screen, in CSS pixels.
    public struct Viewport: Hashable, Sendable {
        /// 1 to 10,000 each.
        public var width, height: Int
        /// Of the screen's own pixels to a CSS pixel, above 0, at most 10.
        public var scale: Double
        /// Whether it is a phone's: touched rather than pointed at, and laid out by the page's `<meta name="viewport">`, without
        /// which a page is 980 wide and shown small, as in WKWebView.
        public var isPhone: Bool

        /// - Returns: nil where a number is out of its bounds, or the screen has less than a pixel of its own, or more than a
        ///   hundred million: no picture of it would ever be made.
        public init?(width: Int, height: Int, scale: Double = 1, isPhone: Bool = true) {
            self.width = width
            self.height = height
            self.scale = scale
            self.isPhone = isPhone
            guard isPossible else { return nil }
        }

        /// What a screen is, for whoever gave what is none.
        package static let rule =
            "it is WIDTHxHEIGHT@SCALE, such as 393x852@3: 1 to 10,000 wide and high, a scale above 0 and up to 10, and with "
            + "that at least one pixel each way and a hundred million in all"

        /// Whether its numbers, which can be set one by one, are together those of a screen.
        var isPossible: Bool {
            let sides = 1...10_000
            guard sides.contains(width), sides.contains(height), scale > 0, scale <= 10 else { return false }
            let (across, down) = (Double(width) * scale, Double(height) * scale)
            return across >= 1 && down >= 1 && across * down <= 100_000_000
        }

        /// A phone's, from `393x852@3`, or `393x852` for a scale of 1.
        ///
        /// - Returns: nil for any other text.
        public init?(_ text: String) {
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            let sides = (parts.first ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count <= 2, sides.count == 2, let width = sides[0], let height = sides[1],
                let scale = parts.count == 2 ? Double(parts[1]) : 1
            else { return nil }
            self.init(width: width, height: height, scale: scale)
        }

        private init(frame width: Int, _ height: Int) {
            self.width = width
            self.height = height
            scale = 1
            isPhone = false
        }

        /// 1024 × 768, which WebKit gives a page that is in no window.
        public static let unbound = Viewport(frame: 1024, 768)
    }

    /// What `prefers-color-scheme` says.
    public enum ColorScheme: String, Hashable, Sendable {
        case light, dark
    }

    /// The screen.
    public var viewport: Viewport
    /// The colours that are asked for.
    public var colorScheme: ColorScheme
    /// What the page and its server are told that the browser is; nil: what it is.
    public var userAgent: String?

    /// What is not given is as WebKit has it for a page in no window.
    public init(viewport: Viewport = .unbound, colorScheme: ColorScheme = .light, userAgent: String? = nil) {
        self.viewport = viewport
        self.colorScheme = colorScheme
        self.userAgent = userAgent
    }
}

/// What a person sees when the server is ready, in Vite's shape.
struct Banner {
    var version: String
    var elapsed: Duration
    /// Label and text, in order.
    var rows: [(label: String, text: String)] = []

    func render(_ style: Style) -> String {
        let milliseconds = elapsed / .milliseconds(1)
        let width = (rows.map(\.label.count).max() ?? 0) + 1
        let title = style.bold(style.green("BRIDGEHEAD")) + " " + style.green("v\(version)")
        var lines = ["", "  \(title)  \(style.dim("ready in")) \(Int(milliseconds.rounded())) ms", ""]
        for row in rows {
            let label = (row.label + ":").padded(to: width)
            lines.append("  \(style.green("➜"))  \(style.bold(label)) \(row.text)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// Texts that both sides can make: of so many bytes of UTF-8, different for each number.
enum Text {
    static func make(_ number: Int, _ size: Int) -> String {
        // Cuts are to meet characters of every length.
        let head = "é€𝄞"
        let digits = "\(number)."
        guard size >= head.utf8.count + digits.utf8.count else { return String(repeating: "x", count: max(size, 0)) }
        return head + digits + String(repeating: "x", count: size - head.utf8.count - digits.utf8.count)
    }
}

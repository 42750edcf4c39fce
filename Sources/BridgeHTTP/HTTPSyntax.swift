/// The byte classes of RFC 9110, section 5.6, and RFC 9112.
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B

    /// `tchar`: what methods, field names and list tokens are made of.
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true
        default: false
        }
    }

    /// What a field value may hold: visible characters, obs-text, space and tab.
    var isFieldValueByte: Bool { self >= 0x20 ? self != 0x7F : self == .tab }

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    var isOptionalWhitespace: Bool { self == .space || self == .tab }

    /// The value of a hexadecimal digit, or nil.
    var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// ASCII capitals as small letters; every other byte as it is.
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension Sequence<UInt8> {
    /// Compares without regard to ASCII case, and to ASCII case alone.
    package func equalsIgnoringCase(_ other: some Sequence<UInt8>) -> Bool {
        elementsEqual(other) { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension Collection<UInt8> {
    /// A non-empty run of `tchar`.
    var isToken: Bool { !isEmpty && allSatisfy(\.isTokenByte) }
}

extension BidirectionalCollection<UInt8> {
    /// Without spaces and tabs at both ends.
    var trimmedOfWhitespace: SubSequence {
        guard let first = firstIndex(where: { !$0.isOptionalWhitespace }),
            let last = lastIndex(where: { !$0.isOptionalWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension ArraySlice<UInt8> {
    /// The text, with U+FFFD for each byte that is no ASCII.
    var asciiText: String {
        if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: lazy.map { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" })
        return String(text)
    }
}

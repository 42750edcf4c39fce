#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a Swift type expects of JSON, in the words of the web engineer who reads the error.
///
/// - Parameter value: what is there; a number that is merely out of range makes the words more exact.
func expectation(of type: Any.Type, _ value: JSON? = nil) -> String {
    var isNumber = false
    if case .number? = value { isNumber = true }
    switch type {
    case let type as any FixedWidthInteger.Type: return integerExpectation(type)
    case is String.Type: return "a string"
    case is Bool.Type: return "true or false"
    case is Double.Type: return isNumber ? "a number that fits Double" : "a number"
    case is Float.Type: return isNumber ? "a number that fits Float" : "a number"
    case is Decimal.Type: return isNumber ? "a number of at most 38 digits that fits Decimal" : "a number"
    case is Date.Type: return "a date in ISO 8601 form"
    case is URL.Type: return "a URL"
    case is Data.Type: return "a string in base64"
    case is JSONObject.Type: return "an object"
    case is any Listing.Type: return "an array"
    case is any Wrapping.Type: return "a value or null"
    default: return "a value for \(type)"
    }
}

private func integerExpectation<Integer: FixedWidthInteger>(_ type: Integer.Type) -> String {
    "an integer from \(Integer.min) to \(Integer.max)"
}

private protocol Listing {}
extension Array: Listing {}
extension Set: Listing {}

private protocol Wrapping {}
extension Optional: Wrapping {}

extension JSON {
    /// The value in a few words; numbers with their digits as far as they are few.
    var brief: String {
        if case .number(let number) = self, number.text.utf8.count <= 40 { return number.text }
        return kind
    }
}

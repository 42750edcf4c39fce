/// Where an error of the application's own came from: it has no path in it, so the coders note theirs as it passes.
struct FailurePlace {
    private let error: String
    private let path: [any CodingKey]

    /// What is noted when `error` leaves the type at that path. Of the places that one error passes the innermost counts.
    static func noting(_ error: any Error, at path: [any CodingKey], after place: FailurePlace?) -> FailurePlace? {
        if error is DecodingError || error is EncodingError || error is JSONCodingError { return place }
        let text = String(reflecting: error)
        if let place, place.error == text, place.path.map(\.stringValue).starts(with: path.map(\.stringValue)) {
            return place
        }
        return FailurePlace(error: text, path: path)
    }

    /// The path of that error, if it is the one that was noted.
    func path(of error: any Error) -> [any CodingKey] {
        String(reflecting: error) == self.error ? path : []
    }
}

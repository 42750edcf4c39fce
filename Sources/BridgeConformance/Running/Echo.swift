import BridgeJSON

/// The question after whose answer it is known that nothing else came.
struct Echo {
    private let event: JSON
    private let isRPC: Bool
    private let hasIntegerID: Bool

    /// In the dialect that the vector's profile is about. A page is asked as the native side asks: with an integer.
    init(for vector: Vector) {
        event = vector.role == .page ? "conformance.page.echo" : "conformance.echo"
        isRPC = vector.profile == .rpc
        hasIntegerID = vector.role == .page
    }

    /// The answer is known by its id. What it says is the business of vectors about it: a wrong echo is one failure, not
    /// all of them.
    func exchange(_ bindings: inout Bindings) -> (question: JSON, answer: JSON) {
        let id = bindings.newID(isInteger: hasIntegerID)
        if isRPC {
            return (
                ["jsonrpc": "2.0", "id": id, "method": event, "params": [:]],
                ["id": id, "{{...}}": true]
            )
        }
        return (["eventName": event, "requestId": id], ["requestId": id, "{{...}}": true])
    }
}

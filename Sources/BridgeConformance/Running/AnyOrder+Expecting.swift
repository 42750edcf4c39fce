import BridgeJSON

extension AnyOrder {
    /// Takes as many messages as there are steps, in any order.
    /// - Parameter next: the next message; it is told what is waited for.
    static func expect(
        _ steps: [Step], _ context: VectorContext, next: (String) async throws(StepFailure) -> Arrived
    ) async throws(StepFailure) {
        let expectations = steps.compactMap(Expectation.init)
        var search = AnyOrder(expectations, context.bindings)
        while !search.isComplete {
            let arrived = try await next(search.missing)
            do throws(Difference) {
                try search.take(arrived)
            } catch {
                throw StepFailure(
                    expectations.count == 1
                        ? "something else came than was expected" : "what came is none of what was expected",
                    difference: error, isRefusal: arrived.isRefusal)
            }
        }
        context.bindings = search.bindings
    }
}

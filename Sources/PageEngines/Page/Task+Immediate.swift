extension Task where Success == Void, Failure == Never {
    /// Runs `body` on the main actor, which the caller is on: to its first suspension before this returns, where the system
    /// can do that, so that what needs no waiting does not wait.
    @MainActor
    @discardableResult
    package static func immediateOnMain(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, *) { return Task.immediate { @MainActor in await body() } }
        return Task { @MainActor in await body() }
    }
}

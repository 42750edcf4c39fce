/// One wait of the runner: it has one deadline, whatever comes meanwhile, and counts what of that is nothing of use.
///
/// Whoever reads asks it before each read, which is bounded: a target that always has something to say neither moves the
/// deadline nor hides it, nor the end of the run.
package struct Wait: Sendable {
    /// What a target may send at any time, and as often as it likes, and answers nothing.
    enum Noise: String {
        case ping
        case pong
        case blankLine = "blank line"
        case interimAnswer = "interim answer"
        /// What a page tells of itself.
        case pageEvent = "page event"
    }

    let deadline: ContinuousClock.Instant
    private let timeout: Duration
    private var passedOver: [(noise: Noise, count: Int)] = []
    private var isLate = false

    package init(_ timeout: Duration) {
        self.timeout = timeout
        deadline = .now + timeout
    }

    /// Whether there is another read. What was there in time is looked at, however late this is asked: the first read after
    /// the deadline, which waits for nothing, is the last.
    mutating func goesOn() -> Bool {
        guard !isLate, !Task.isCancelled else { return false }
        isLate = ContinuousClock.now >= deadline
        return true
    }

    mutating func passOver(_ noise: Noise, _ count: Int = 1) {
        guard count > 0 else { return }
        if let index = passedOver.firstIndex(where: { $0.noise == noise }) {
            passedOver[index].count += count
        } else {
            passedOver.append((noise, count))
        }
    }

    /// What to say when it was in vain.
    func failure(waitingFor what: String) -> StepFailure {
        guard !passedOver.isEmpty else { return StepFailure("nothing came within \(timeout); waited for \(what)") }
        let noises = passedOver.map { "\($0.count) \($0.noise.rawValue)\($0.count == 1 ? "" : "s")" }
        return StepFailure(
            "the target sent \(noises.joined(separator: ", ")) and nothing else within \(timeout); waited for \(what)")
    }
}

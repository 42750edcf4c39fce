import Bridgehead
import Synchronization

/// The answers to one event, handed out one a call, whoever calls: a request over HTTP is a session of its own, and a
/// page that is reloaded goes on where it was. Reading the file again begins anew.
final class AnswerSequence: Sendable {
    private let answers: [Answer]
    private let taken = Atomic(0)

    /// - Parameter answers: at least one; the last repeats.
    init(_ answers: [Answer]) {
        self.answers = answers
    }

    func answer(_ call: BridgeCall<JSON>) async throws -> JSON {
        let index = taken.add(1, ordering: .relaxed).oldValue
        guard let answer = index < answers.count ? answers[index] : answers.last else { return .null }
        let pause = answer.delay / (answer.progress.count + 1)
        for value in answer.progress {
            if pause > .zero { try await Task.sleep(for: pause) }
            call.report(value)
        }
        if pause > .zero { try await Task.sleep(for: pause) }
        switch answer.outcome {
        case .response(let value): return value
        case .failure(let failure): throw failure
        }
    }
}

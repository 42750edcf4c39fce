import Bridgehead
import Testing

@Suite(.timeLimit(.minutes(10))) struct BehaviourTests {
    @Test(arguments: Behaviour.all)
    func inMemory(behaviour: Behaviour) async throws {
        try await behaviour.check(on: SessionClient(behaviourBridge()))
    }
}

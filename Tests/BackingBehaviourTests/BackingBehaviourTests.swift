import PageEngines
import PageModel
import Testing

/// The same behaviours, whatever shows the page.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20)), .sharedBrowser)
struct BackingBehaviourTests {
    @Test(arguments: Behaviour.all) func aStubsPage(_ behaviour: Behaviour) async throws {
        try await check(behaviour, .stub, StubFixture())
    }

    @Test(
        .enabled(if: Browser.path != nil, "Chromium is not installed: Tests/run installs it"), arguments: Behaviour.all)
    func aPageInChromium(_ behaviour: Behaviour) async throws {
        let browser = try #require(Browser.shared)
        try await check(behaviour, .chromium, try await BrowserFixture(browser, isConnected: false))
    }

    @Test(
        .enabled(if: Browser.path != nil, "Chromium is not installed: Tests/run installs it"), arguments: Behaviour.all)
    func aConnectedPage(_ behaviour: Behaviour) async throws {
        let browser = try #require(Browser.shared)
        // Nothing else ends there.
        let isGoingAway = behaviour.testDescription == "nobody is there"
        let fixture = try await BrowserFixture(
            browser, isConnected: true, patience: isGoingAway ? .seconds(2) : .seconds(600))
        try await check(behaviour, .connected, fixture)
    }

    private func check(_ behaviour: Behaviour, _ backing: Backing, _ fixture: any Fixture) async throws {
        let seen: String
        do {
            let log = Recorder(fixture.page)
            seen = try await behaviour.see(fixture, log)
        } catch {
            seen = "threw \(error)"
        }
        await fixture.end()
        guard let difference = Difference.of(behaviour, in: backing) else {
            #expect(seen == behaviour.expected)
            return
        }
        #expect(seen == difference.seen)
        #expect(difference.seen != behaviour.expected, "no difference any more: \(difference.reason)")
    }

    @Test func eachDifferenceIsOfABehaviourOnceAndHasItsReason() {
        let names = Behaviour.all.map(\.testDescription)
        #expect(Set(names).count == names.count)
        let rows = Difference.all.map { "\($0.backing) \($0.behaviour)" }
        #expect(Set(rows).count == rows.count)
        #expect(Difference.all.allSatisfy { names.contains($0.behaviour) && !$0.reason.isEmpty })
    }
}

import BridgeTesting
import Bridgehead
import DemoBridge
import Foundation
import Testing

@Suite struct DemoEventsTests {
    private var bridge: Bridge {
        let bridge = Bridge()
        DemoEvents.register(on: bridge)
        return bridge
    }

    /// The checklist in DemoEvents.swift: a file an event, and an entry for each.
    @Test func everyEventFileHasItsEntry() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/DemoBridge/Events")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(".swift".count)) }.sorted()
        #expect(files == DemoEvents.all.map { "\($0)" }.sorted())
        #expect(Set(DemoEvents.all.map { $0.name }).count == files.count)
    }

    @Test func everyEventHasAHandler() async throws {
        try await withBridge(bridge) { server in
            let page = try await server.page()
            for event in DemoEvents.all {
                do {
                    _ = try await page.request(event.name)
                } catch let failure as BridgeFailure {
                    #expect(failure.code != BridgeFailure.Code.methodNotFound, "\(event.name)")
                }
            }
        }
    }

    @Test func answers() async throws {
        try await withBridge(bridge) { server in
            let page = try await server.page()
            let title = try await page.request("getRandomTitle")
            #expect(title.string?.wholeMatch(of: /Title: [0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) != nil)
            #expect(try await page.request("echo", ["a": [1, nil]]) == ["a": [1, nil]])
            #expect(try await page.request("getDeviceInfo")["processors"]?.int ?? 0 > 0)
            #expect(try await page.request("addToCart", ["id": 7, "price": 1.5]) == ["id": 7, "total": 1.5])
        }
    }

    @Test func failures() async throws {
        try await withBridge(bridge) { server in
            let page = try await server.page()
            let signIn = await #expect(throws: BridgeFailure.self) { try await page.request("signIn") }
            #expect(signIn?.code == 4001)
            #expect(signIn?.message == "Not signed in")
            #expect(signIn?.data != nil)
            let cart = await #expect(throws: BridgeFailure.self) {
                try await page.request("addToCart", ["id": "7", "price": 1])
            }
            #expect(cart?.code == BridgeFailure.Code.invalidParams)
            #expect(cart?.data?["path"] == "$.id")
        }
    }

    @Test func theNativeSideAsksThePage() async throws {
        try await withBridge(bridge) { server in
            let page = try await server.page()
            page.define("updateTitle") { arguments in
                #expect(arguments == ["Hello"])
                return .null
            }
            page.handle("confirmRead") { question in ["read": question["question"] ?? .null] }
            #expect(try await page.request("renamePage", ["title": "Hello"]) == ["called": true])
            #expect(try await page.request("askPage", ["question": "Read?"]) == ["read": "Read?"])
        }
    }

    @Test func aDownloadReportsItsProgress() async throws {
        let bridge = Bridge()
        let (reports, report) = AsyncStream.makeStream(of: Int.self)
        Download.register(on: bridge, clock: ImmediateClock())
        try await withBridge(bridge) { server in
            let page = try await server.page()
            let file = try await page.request("download", ["url": "https://example.test/a.zip"]) { progress in
                report.yield(progress["received"]?.int ?? 0)
            }
            report.finish()
            #expect(file == ["path": "/downloads/a.zip"])
        }
        var received: [Int] = []
        for await number in reports { received.append(number) }
        #expect(received == Array(1...10))
    }
}

/// A clock on which no time passes.
private struct ImmediateClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}

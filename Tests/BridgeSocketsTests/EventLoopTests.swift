// Jobs and timers, on both kinds of loop.

import BridgeSockets
import Synchronization
import Testing

/// A loop that ends with the test.
@discardableResult
func withLoop<Result>(_ mode: EventLoop.Mode, _ body: (EventLoop) async throws -> Result) async throws -> Result {
    let loop = try EventLoop(mode)
    defer { loop.stop() }
    return try await body(loop)
}

extension EventLoop {
    /// Returns once all jobs that were added before have run.
    func barrier() async {
        await withCheckedContinuation { continuation in execute { continuation.resume() } }
    }

    func sleep(_ duration: Duration) async {
        await withCheckedContinuation { continuation in after(duration) { continuation.resume() } }
    }
}

/// A value that any thread may change.
final class Box<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    init(_ value: Value) { content = Mutex(value) }

    var value: Value { content.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) { content.withLock { body(&$0) } }
}

@Suite struct EventLoopTests {
    @Test(arguments: EventLoop.Mode.allCases)
    func jobsOfEachThreadRunInTheOrderTheyWereAdded(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let seen = Box([(thread: Int, number: Int)]())
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<1_000 {
                            loop.execute { seen.change { $0.append((thread, number)) } }
                        }
                    }
                }
            }
            await loop.barrier()
            for thread in 0..<8 {
                #expect(seen.value.filter { $0.thread == thread }.map(\.number) == Array(0..<1_000))
            }
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func jobsRunOnTheLoopAndNeverInPlace(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            #expect(!loop.isCurrent)
            let seen = Box([String]())
            loop.execute {
                #expect(loop.isCurrent)
                loop.checkIsolated()
                loop.execute { seen.change { $0.append("second") } }
                seen.change { $0.append("first") }
            }
            await loop.barrier()
            await loop.barrier()
            #expect(seen.value == ["first", "second"])
        }
    }

    actor Pinned {
        let loop: EventLoop
        private(set) var wasOnLoop: [Bool] = []

        init(_ loop: EventLoop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func note() { wasOnLoop.append(loop.isCurrent) }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func actorsRunOnTheirLoop(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let actor = Pinned(loop)
            for _ in 0..<100 { await actor.note() }
            loop.execute { actor.assumeIsolated { $0.note() } }
            #expect(await actor.wasOnLoop == Array(repeating: true, count: 101))
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func actorsStillRunWhenTheirLoopHasStopped(_ mode: EventLoop.Mode) async throws {
        let loop = try EventLoop(mode)
        let actor = Pinned(loop)
        loop.stop()
        for _ in 0..<100 { await actor.note() }
        #expect(await actor.wasOnLoop == Array(repeating: true, count: 100))
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func timersFireInTheOrderOfTheirDeadlines(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let added = Box([UInt64]())
            let fired = Box([Int]())
            loop.execute {
                // All in one job: none can fire before the last is there.
                for number in 0..<2_000 {
                    let delay = Duration.microseconds((number * 7_919) % 2_000 * 10)
                    let timer = loop.after(delay) { fired.change { $0.append(number) } }
                    added.change { $0.append(timer.deadline) }
                }
            }
            await loop.barrier()
            await loop.sleep(.milliseconds(30))
            let deadlines = added.value
            #expect(fired.value == (0..<2_000).sorted { (deadlines[$0], $0) < (deadlines[$1], $1) })
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func timersOfOneDelayFireInTheOrderTheyWereAdded(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let seen = Box([Int]())
            for number in 0..<500 { loop.after(.zero) { seen.change { $0.append(number) } } }
            await loop.sleep(.zero)
            #expect(seen.value == Array(0..<500))
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aCancelledTimerDoesNotFireAndLetsGo(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let fired = Box(0)
            let guarded = WeakBox()
            // On the loop, where no timer can fire between its making and its cancelling.
            await withCheckedContinuation { done in
                loop.execute {
                    let captured = Box(0)
                    guarded.set(captured)
                    let timers = (0..<1_000).map { _ in
                        loop.after(.milliseconds(5)) {
                            fired.change { $0 += 1 }
                            captured.change { $0 += 1 }
                        }
                    }
                    for timer in timers.dropFirst(3) { timer.cancel() }
                    done.resume()
                }
            }
            await loop.sleep(.milliseconds(10))
            #expect(fired.value == 3)
            #expect(guarded.isEmpty)
        }
    }
}

/// Whether something is still alive.
private final class WeakBox: Sendable {
    private struct Reference: Sendable {
        weak var box: Box<Int>?
    }
    private let reference = Mutex(Reference())

    func set(_ box: Box<Int>) { reference.withLock { $0.box = box } }

    var isEmpty: Bool { reference.withLock { $0.box == nil } }
}

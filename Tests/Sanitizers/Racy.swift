import Foundation
import Synchronization

// A race: one of four threads does not take the lock. The thread sanitizer must find it.
final class Counter: @unchecked Sendable {
    let lock = Mutex(())
    var value = 0
}

let counter = Counter()
let begun = DispatchSemaphore(value: 0)
let ended = DispatchGroup()
for number in 0..<4 {
    ended.enter()
    Thread.detachNewThread {
        begun.wait()
        for _ in 0..<100_000 {
            if number == 0 { counter.value += 1 } else { counter.lock.withLock { _ in counter.value += 1 } }
        }
        ended.leave()
    }
}
for _ in 0..<4 { begun.signal() }
ended.wait()
print(counter.value)

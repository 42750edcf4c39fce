import Dispatch
import Synchronization

// Correct: the thread sanitizer must have nothing to say about it.
let counter = Mutex(0)
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 { counter.withLock { $0 += 1 } }
}
print(counter.withLock { $0 })

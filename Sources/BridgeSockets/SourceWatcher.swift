// Readiness from Dispatch alone: sources on the loop's serial queue.

import Dispatch

/// Watches each descriptor with DispatchSources of its own.
final class SourceWatcher: Watcher {
    private let queue: DispatchQueue
    private let timer: any DispatchSourceTimer
    private var armedDeadline: UInt64?

    init(queue: DispatchQueue) {
        self.queue = queue
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    deinit {
        timer.cancel()
    }

    /// Timers of `reactor` fire from here on.
    func start(_ reactor: LoopConfined<Reactor>) {
        timer.setEventHandler { [weak reactor] in
            reactor?.visit { reactor in
                reactor.watcher.schedule(nil)  // What was armed is used up.
                reactor.turn { reactor.fireTimers() }
            }
        }
        timer.resume()
    }

    func add(_ channel: Channel) {
        channel.sources = SourcePair(channel, queue: queue)
        update(channel)
    }

    func update(_ channel: Channel) {
        channel.sources?.watch(channel.interest, of: channel.descriptor)
    }

    func remove(_ channel: Channel) {
        channel.sources?.cancel()
        channel.sources = nil
    }

    func mute(_ channel: Channel) {
        channel.sources?.watch([], of: channel.descriptor)
    }

    func schedule(_ deadline: UInt64?) {
        guard deadline != armedDeadline else { return }
        armedDeadline = deadline
        if let deadline {
            let now = monotonicNanoseconds()
            let delay = deadline <= now ? 0 : Int(clamping: deadline - now)
            timer.schedule(deadline: .now() + .nanoseconds(delay))
        } else {
            timer.schedule(deadline: .distantFuture)
        }
    }
}

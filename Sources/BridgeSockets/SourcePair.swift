// The two sources of one descriptor.

import Dispatch

/// A read source, and a write source once one is needed, for one channel. Confined to the channel's loop.
final class SourcePair {
    private let channel: LoopConfined<Channel>
    private let queue: DispatchQueue
    private let cancelled = DispatchGroup()
    private var reading: Source?
    private var writing: Source?

    init(_ channel: Channel, queue: DispatchQueue) {
        self.channel = LoopConfined(channel, to: channel.reactor.identity)
        self.queue = queue
    }

    func watch(_ interest: Interest, of descriptor: Int32) {
        if interest.contains(.read), reading == nil {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            reading = Source(source, of: channel, readiness: .readable, cancelled: cancelled)
        }
        if interest.contains(.write), writing == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            writing = Source(source, of: channel, readiness: .writable, cancelled: cancelled)
        }
        reading?.run(interest.contains(.read))
        writing?.run(interest.contains(.write))
    }

    /// Calls `channel.unwatched()` once libdispatch has forgotten the descriptor.
    func cancel() {
        reading?.cancel()
        writing?.cancel()
        cancelled.notify(queue: queue) { [channel] in
            channel.visit { $0.unwatched() }
        }
    }
}

/// A source that may be told the same twice. libdispatch counts suspensions, and wants none when it ends.
private final class Source {
    private let source: any DispatchSourceProtocol
    private var isRunning = false

    init(
        _ source: any DispatchSourceProtocol, of channel: LoopConfined<Channel>, readiness: Readiness,
        cancelled: DispatchGroup
    ) {
        self.source = source
        source.setEventHandler {
            channel.visit { channel in
                // This event may have been queued before the channel was removed.
                guard channel.slot >= 0 else { return }
                channel.reactor.turn { channel.ready(readiness) }
            }
        }
        cancelled.enter()
        source.setCancelHandler { cancelled.leave() }
    }

    func run(_ isWanted: Bool) {
        guard isWanted != isRunning else { return }
        isRunning = isWanted
        if isWanted { source.resume() } else { source.suspend() }
    }

    func cancel() {
        run(true)
        source.cancel()
    }
}

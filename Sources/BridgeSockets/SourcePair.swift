// The two sources of one descriptor.

import Dispatch

/// A read source, and a write source once one is needed, for one channel. Confined to the channel's loop.
final class SourcePair {
    private let channel: LoopConfined<Channel>
    private let queue: DispatchQueue
    private let cancelled = DispatchGroup()
    private var reading: LevelSource?
    private var writing: LevelSource?

    init(_ channel: Channel, queue: DispatchQueue) {
        self.channel = LoopConfined(channel, to: channel.reactor.identity)
        self.queue = queue
    }

    func watch(_ interest: Interest, of descriptor: Int32) {
        if interest.contains(.read), reading == nil {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            reading = LevelSource(source, descriptor, .read, of: channel, queue: queue)
            cancelled.enter()
            source.setCancelHandler { [cancelled] in cancelled.leave() }
        }
        if interest.contains(.write), writing == nil {
            // libdispatch on Linux loses events of a descriptor whose two sources are not both running: it gets two.
            let duplicate = duplicateDescriptor(descriptor)
            let own = duplicate ?? descriptor
            let source = DispatchSource.makeWriteSource(fileDescriptor: own, queue: queue)
            writing = LevelSource(source, own, .write, of: channel, queue: queue)
            cancelled.enter()
            source.setCancelHandler { [cancelled] in
                if let duplicate { closeDescriptor(duplicate) }
                cancelled.leave()
            }
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

/// A source that reports for as long as the descriptor is ready, and that may be told the same twice.
///
/// libdispatch on Linux reports a descriptor whose connection is over once and never again, read to the end or not. So
/// what is still ready when it was handled, or when the source runs again, is handled again without being reported.
private final class LevelSource {
    private let source: any DispatchSourceProtocol
    private let descriptor: Int32
    private let interest: Interest
    private let channel: LoopConfined<Channel>
    private let queue: DispatchQueue
    private var isRunning = false
    private var hasRun = false
    private var isRepeating = false

    init(
        _ source: any DispatchSourceProtocol, _ descriptor: Int32, _ interest: Interest,
        of channel: LoopConfined<Channel>, queue: DispatchQueue
    ) {
        self.source = source
        self.descriptor = descriptor
        self.interest = interest
        self.channel = channel
        self.queue = queue
        let confined = LoopConfined(self, to: channel.identity)
        source.setEventHandler { confined.visit { $0.handle() } }
    }

    func run(_ isWanted: Bool) {
        guard isWanted != isRunning else { return }
        isRunning = isWanted
        guard isWanted else { return source.suspend() }
        source.resume()
        if hasRun { repeatIfReady() }
        hasRun = true
    }

    /// libdispatch wants no suspended source when it ends.
    func cancel() {
        run(true)
        source.cancel()
    }

    private func handle() {
        let channel = channel.value
        // This event may have been queued before the channel was removed or the source stopped.
        guard isRunning, channel.slot >= 0 else { return }
        channel.reactor.turn { channel.ready(interest == .read ? .readable : .writable) }
        repeatIfReady()
    }

    private func repeatIfReady() {
        guard isRunning, !isRepeating, channel.value.slot >= 0, isReady(descriptor, for: interest) else { return }
        isRepeating = true
        let confined = LoopConfined(self, to: channel.identity)
        queue.async {
            confined.visit { source in
                source.isRepeating = false
                source.handle()
            }
        }
    }
}

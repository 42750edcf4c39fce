// A connected socket, as the actor that owns it uses it.

/// What a socket tells its owner: an actor whose executor is the socket's loop. Called on the loop, in place.
package protocol StreamSocketOwner: Actor {
    /// Bytes that arrived. The buffer is the loop's: it may be written to (a codec unmasks in place) and is valid during the
    /// call only.
    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer)

    /// The other side has closed its sending; this side may still write. At most once, after the last bytes.
    func socketDidEndInput()

    /// Unsent output has fallen to `lowWatermark` or below, after having been above.
    func socketDidDrain()

    /// The socket is closed, and calls no more. Exactly once, at the end of the turn, whoever closed it.
    func socketDidClose(_ reason: SocketCloseReason)
}

/// Why a socket was closed.
package enum SocketCloseReason: Hashable, Sendable {
    /// This side called `close` or `closeAfterFlush`, or stopped the loop.
    case local
    /// Both sides have ended their output, in order.
    case finished
    /// The other side has broken the connection, or is no longer there to read.
    case reset
    case failed(SocketError)
}

/// A connected, non-blocking stream socket: TCP or Unix domain.
///
/// All of it is used on its loop, by its owner; anything else traps. Output is gathered and sent once, at the end of the
/// turn: after all that was read in it has been handled, or after the jobs of one batch. A socket that has nothing to send
/// holds no buffer, and a socket that is open holds its owner. One that is never started is closed when it is let go.
package final class StreamSocket: Sendable {
    package let loop: EventLoop
    /// The other end; a Unix-domain client has no path.
    package let peerAddress: SocketAddress
    private let core: LoopConfined<StreamCore>

    /// Takes `descriptor` over; it is configured by the caller.
    init(descriptor: Int32, peer: SocketAddress, loop: EventLoop, reactor: Reactor) {
        self.loop = loop
        peerAddress = peer
        core = LoopConfined(StreamCore(descriptor: descriptor, reactor: reactor), to: loop.identity)
    }

    /// Begins reading, and telling `owner`. Once.
    package func start(owner: any StreamSocketOwner, lowWatermark: Int = 256 * 1024) {
        core.value.start(owner: owner, lowWatermark: lowWatermark)
    }

    /// Makes another actor of the loop the owner, from the next notice on: for a connection that changes its protocol.
    package func handOver(to owner: any StreamSocketOwner) { core.value.handOver(to: owner) }

    /// This end's address; `nil` when the socket is closed.
    package var localAddress: SocketAddress? { core.value.localAddress }

    /// Whether the socket is closed, though `socketDidClose` may still be to come.
    package var isClosed: Bool { core.value.isClosed }

    // MARK: Output

    /// Bytes written that the kernel has not taken yet, those of this turn included.
    package var unsentBytes: Int { core.value.unsentBytes }

    /// Appends to the output in place: `body` gets an array whose earlier content it leaves alone, and must not use this
    /// socket. What is appended once output has ended is dropped.
    package func withOutput<Result, Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try core.value.withOutput(body)
    }

    /// Writes an array, without copying it when nothing else waits. Dropped once output has ended.
    package func write(_ bytes: [UInt8]) { core.value.write(bytes) }

    /// Writes a copy of `bytes`. Dropped once output has ended.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        core.value.withOutput { $0.append(contentsOf: bytes) }
    }

    /// Ends this side's output once all that was written is sent. Reading goes on.
    package func shutdownWrite() { core.value.shutdownWrite() }

    // MARK: Input

    /// Stops reading; the kernel's buffers then slow the other side down. At most what is being handled now still arrives.
    package func pauseReading() { core.value.setPaused(true) }

    package func resumeReading() { core.value.setPaused(false) }

    package var isReadingPaused: Bool { core.value.isPaused }

    // MARK: Closing

    /// Closes at once; what is unsent is lost, and the other side may see a reset.
    package func close() { core.value.close(.local) }

    /// Sends what was written, ends the output, discards what still arrives until the other side ends too, and closes:
    /// closing with unread input would be a reset, which destroys what the other side has not read yet.
    ///
    /// The owner hears only `socketDidClose`. After `lingering` without progress in sending, or that long after the output
    /// has ended, the socket closes anyway; after the output, `rest` of silence is enough. Called again, it changes `rest`
    /// alone.
    package func closeAfterFlush(lingering: Duration = .seconds(2), rest: Duration? = nil) {
        core.value.closeAfterFlush(lingering: lingering, rest: rest ?? lingering, loop: loop)
    }
}

public import Bridgehead
import BridgeSockets
import Synchronization

/// Serves a bridge on this machine: pages, the client, and the events of ``Bridge`` over WebSocket, HTTP and lines.
///
/// Synchronous handlers run on the server's one loop, in place. May be used from any thread.
///
/// Once started it goes on until ``drain()`` or ``stop()``, also when nobody holds this object any more: keep it, or
/// nothing can end the server but the process.
public final class BridgeServer: Sendable {
    private let bridge: Bridge
    private let configuration: Configuration
    private let core = Mutex<ServerCore?>(nil)

    /// A server for `bridge`; it listens once it is started.
    public init(_ bridge: Bridge, configuration: Configuration = Configuration()) {
        self.bridge = bridge
        self.configuration = configuration
    }

    /// Listens. A server that has started does not start again.
    /// - Returns: where; connections succeed from here on.
    @discardableResult
    public func start() async throws(StartFailure) -> Addresses {
        let loop: EventLoop
        do throws(SocketError) {
            loop = try EventLoop(configuration.occupiesThread ? .poll : .sources)
        } catch {
            throw .cannotListen("\(error)")
        }
        do throws(StartFailure) {
            return try await start(on: loop)
        } catch {
            loop.stop()
            throw error
        }
    }

    private func start(on loop: EventLoop) async throws(StartFailure) -> Addresses {
        var pages = PageSource.bundled
        if let root = configuration.root {
            guard let folder = PageFolder(root) else { throw .rootIsNoFolder(root) }
            pages = .folder(folder)
        }
        if let given = configuration.pages { pages = .given(GivenPages(given)) }
        let places = try ListeningPlaces(configuration, on: loop)
        if places.lacksIPv6 {
            configuration.bridgeLog(.warning, "this machine has no ::1; only 127.0.0.1 is listened on")
        }
        let made = ServerCore(bridge: bridge, loop: loop, configuration: configuration, pages: pages)
        let isFirst = core.withLock { core in
            guard core == nil else { return false }
            core = made
            return true
        }
        guard isFirst else { throw .startedBefore }
        raiseDescriptorLimit()
        if configuration.servesConformance { ConformanceService.register(on: bridge) }
        await made.serve(web: places.web, lines: places.lines)
        return places.addresses
    }

    /// Takes no more connections and requests, waits until those in flight are answered (at most
    /// ``Configuration/drainTimeout``), says goodbye, closes, and returns.
    public func drain() async {
        await core.withLock { $0 }?.drain(timeout: configuration.drainTimeout)
    }

    /// Runs `job` on the server's loop, where nothing happens while a synchronous handler does not return. At once where
    /// there is no loop yet.
    package func onLoop(_ job: @escaping @Sendable () -> Void) {
        guard let loop = core.withLock({ $0?.loop }) else { return job() }
        loop.execute(job)
    }

    /// Closes everything at once: requests in flight are cancelled.
    public func stop() async {
        await core.withLock { $0 }?.stop()
    }
}

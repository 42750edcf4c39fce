import BridgeClient
import BridgeJSON
import Bridgehead
import BridgeWire
import Dispatch
import Synchronization

/// `bridgehead call`: one event to a running server.
struct CallCommand: Sendable {
    let options: CallOptions
    let console: Console

    /// What ended a call from outside; the first one counts.
    private final class Interruption: Sendable {
        enum Reason: Sendable { case timeout, signal }
        private let first = Mutex<Reason?>(nil)

        var reason: Reason? { first.withLock { $0 } }
        func set(_ reason: Reason) { first.withLock { $0 = $0 ?? reason } }
    }

    func run() async throws -> ExitCode {
        let work = Task { try await send() }
        let interruption = Interruption()
        Signals.hear {
            interruption.set(.signal)
            work.cancel()
        }
        let timer = options.timeout.map { timeout in
            Task {
                try await Task.sleep(for: timeout)
                interruption.set(.timeout)
                work.cancel()
            }
        }
        let result = await work.result
        timer?.cancel()

        switch (result, interruption.reason) {
        case (.success(let answer), _):
            if let answer { console.write(answer.text) }
            return .success
        case (.failure(let failure as BridgeFailure), nil):
            return report(failure)
        case (.failure, .timeout):
            throw CommandFailure(.timedOut, "No answer within \(options.timeout ?? .zero); the request was cancelled.")
        case (.failure, .signal):
            return .interrupted
        case (.failure(let error as ClientFailure), nil):
            throw unreachable(error)
        case (.failure(let error), nil):
            throw error
        }
    }

    /// The answer; nil for a notification.
    private func send() async throws -> JSON? {
        let client = try await ClientSession.connect(
            to: options.endpoint, token: options.token, timeout: options.timeout ?? .seconds(10))
        do {
            var answer: JSON?
            if options.isNotification {
                try await client.notify(options.event, options.payload, dialect: options.dialect)
                // Nothing but the server's goodbye tells that it has arrived.
                try await client.close()
            } else {
                answer = try await client.request(options.event, options.payload, dialect: options.dialect) {
                    progress in
                    console.write("progress \(progress.text)", to: .error)
                }
                await client.leave()
            }
            return answer
        } catch {
            await client.leave()
            throw error
        }
    }

    private func report(_ failure: BridgeFailure) -> ExitCode {
        if options.printsJSON {
            var error: JSONObject = ["code": JSON(failure.code), "message": JSON(failure.message)]
            if let data = failure.data { error["data"] = data }
            console.write(JSON.object(["error": .object(error)]).text)
        } else {
            var text = "Error: \(LogLine.printable(failure.message))\n  code: \(failure.code)"
            if let data = failure.data { text += "\n  data: \(LogLine.printable(data.text))" }
            console.write(text, to: .error)
        }
        return .failure
    }

    private func unreachable(_ failure: ClientFailure) -> CommandFailure {
        switch failure {
        case .cannotConnect(let reason):
            CommandFailure(
                .unavailable,
                "No bridge answers at \(options.url): \(reason).\nStart one with 'bridgehead serve', or name another with --url."
            )
        case .refused(let reason):
            CommandFailure(
                .unavailable,
                "The server at \(options.url) does not take the call: \(LogLine.printable(reason))."
                    + (reason.hasPrefix("answered with status 401")
                        ? " It asks for the token it printed, in BRIDGEHEAD_TOKEN." : ""))
        case .connectionLost(let reason):
            CommandFailure(
                .unavailable, "The connection to \(options.url) was lost: \(LogLine.printable(reason)).")
        }
    }
}

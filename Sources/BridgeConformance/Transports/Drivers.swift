import BridgeClient

/// Who performs a vector's steps: the one place that knows all media.
enum Drivers {
    static func make(_ context: VectorContext) -> any StepDriver {
        switch context.vector.medium {
        case .messages: MessageDriver(context) { () async throws(StepFailure) in try await channel(context) }
        case .http, .websocket, .lines: RawDriver(context)
        }
    }

    private static func channel(_ context: VectorContext) async throws(StepFailure) -> any MessageChannel {
        let endpoint = context.endpoint
        switch endpoint.address {
        case .http:
            return HTTPChannel(endpoint, timeout: context.timeout)
        case .lines, .unix:
            return LinesChannel(try await connect(endpoint, timeout: context.timeout))
        case .webSocket:
            let stream = ByteStream(try await connect(endpoint, timeout: context.timeout))
            try await WebSocketOpening.open(stream, context)
            return WebSocketChannel(opened: stream.connection, rest: stream.take(stream.bytes.count))
        }
    }
}

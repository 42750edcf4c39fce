import BridgeClient
import BridgeJSON
import BridgeWire

/// The options of `call`, checked.
struct CallOptions: Sendable {
    let event: String
    /// nil: none given.
    let payload: JSON?
    let url: String
    let endpoint: ClientEndpoint
    let timeout: Duration?
    let dialect: Dialect
    let isNotification: Bool
    let printsJSON: Bool
    let token: String?

    /// - Throws: `UsageError`, or `CommandFailure` for a payload that cannot be sent.
    init(_ arguments: ParsedArguments, path: CommandPath, environment: Environment) throws {
        let reader = OptionReader(arguments: arguments, path: path)
        event = arguments.positionals[0]
        timeout = try reader.seconds("timeout")
        dialect = arguments.has("json-rpc") ? .jsonRPC : .event
        isNotification = arguments.has("notify")
        printsJSON = arguments.has("json")
        token = environment["BRIDGEHEAD_TOKEN"]
        let port = try environment.port() ?? ServeOptions.defaultPort
        url = arguments.value("url") ?? "ws://127.0.0.1:\(port)/_bridge/ws"
        do throws(ClientEndpoint.Malformed) {
            endpoint = try ClientEndpoint(parsing: url)
        } catch {
            throw reader.invalid(url, "url", error.reason)
        }
        payload = try arguments.positionals.dropFirst().first.map { try Self.payload($0) }
    }

    private static func payload(_ text: String) throws(CommandFailure) -> JSON {
        var bytes = Array(text.utf8)
        let source = text == "-" ? "standard input" : "the payload"
        if text == "-" {
            do throws(FileFault) {
                bytes = try readAll(0)
            } catch {
                throw CommandFailure(.noInput, "Cannot read standard input: \(error.reason).")
            }
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw CommandFailure(.badData, "\(source):\(error.line):\(error.column): \(error.reason)")
        }
        switch json {
        case .object, .array:
            return json
        case .null, .bool, .number, .string:
            throw CommandFailure(.badData, "\(source):1:1: an event's payload is an object or an array")
        }
    }
}

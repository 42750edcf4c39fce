import BridgeServer
import BridgeSockets
import BridgeWire

/// The options of `serve`, checked.
struct ServeOptions: Sendable {
    static let defaultPort = 7357

    var port = defaultPort
    var strictPort = false
    var portFile: String?
    var host: String?
    var allowedHosts: [String] = []
    var allowedOrigins: [String] = []
    var linesPort: Int?
    var unixPath: String?
    var root: String?
    var answers: String?
    /// Message handlers by name: whether pages await an answer.
    var handlers: [(name: String, isReply: Bool)] = []
    var limits = BridgeLimits()
    var drainTimeout: Duration = .seconds(5)
    var conformance = true
    var open = false
    var quiet = false
    var logLevel: LogLevel?
    var logsJSON = false

    /// The address of `host`; nil where that is none, or a name.
    var address: SocketAddress? {
        guard let host else { return nil }
        return SocketAddress(literal: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host, port: 0)
    }

    /// Whether other machines may reach the server.
    var isExposed: Bool {
        guard let host, host.lowercased() != "localhost" else { return false }
        return !(address?.isLoopback ?? false)
    }

    init(_ arguments: ParsedArguments, path: CommandPath, environment: Environment) throws {
        let reader = OptionReader(arguments: arguments, path: path)
        port = try reader.port("port") ?? environment.port() ?? Self.defaultPort
        strictPort = arguments.has("strict-port") || environment["CI"] != nil
        portFile = arguments.value("port-file")
        host = arguments.value("host")
        allowedHosts = try arguments.all("allow-host").map { try reader.host($0) }
        allowedOrigins = try arguments.all("allow-origin").map { try reader.origin($0) }
        linesPort = try reader.port("lines")
        unixPath = arguments.value("unix")
        root = arguments.value("root")
        answers = arguments.value("answers")
        handlers = try arguments.all("handler").map { try reader.handler($0) }
        for assignment in arguments.all("limit") {
            do throws(BridgeLimits.AssignmentError) {
                try limits.set(assignment)
            } catch {
                throw reader.invalid(assignment, "limit", error.description)
            }
        }
        drainTimeout = try reader.seconds("drain-timeout") ?? .seconds(5)
        conformance = !arguments.has("no-conformance")
        open = arguments.has("open")
        quiet = arguments.has("quiet")
        logLevel = try reader.choice("log-level", of: LogLevel.names).flatMap(LogLevel.init)
        if logLevel == nil { logLevel = try environment.logLevel() }
        logsJSON = try reader.choice("log-format", of: ["text", "json"]) == "json"
    }
}

/// Takes single options apart; what does not fit is a usage error in swift-argument-parser's words.
struct OptionReader {
    let arguments: ParsedArguments
    let path: CommandPath

    func port(_ option: String) throws(UsageError) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let port = Int(text), (0...65535).contains(port) else {
            throw invalid(text, option, "a port is a number from 0 to 65535")
        }
        return port
    }

    func seconds(_ option: String) throws(UsageError) -> Duration? {
        guard let text = arguments.value(option) else { return nil }
        guard let seconds = Double(text), seconds >= 0, seconds <= 86_400 else {
            throw invalid(text, option, "it is a number of seconds, at most a day")
        }
        return .seconds(seconds)
    }

    func choice(_ option: String, of choices: [String]) throws(UsageError) -> String? {
        guard let text = arguments.value(option) else { return nil }
        guard choices.contains(text) else {
            let list = choices.dropLast().map { "'\($0)'" }.joined(separator: ", ")
            let hint = nearestNames(to: text, in: choices).first.map { " Did you mean '\($0.name)'?" } ?? ""
            let message = "The value '\(text)' is invalid for '\(label(option))'."
            throw UsageError(
                message: "\(message) Please provide one of \(list) or '\(choices.last ?? "")'.\(hint)", path: path)
        }
        return text
    }

    /// The name of a host as browsers send it.
    func host(_ text: String) throws(UsageError) -> String {
        guard let host = AllowedNames.host(text) else {
            throw invalid(
                text, "allow-host", "it is a host's name alone, such as dev.example.test, without scheme and port")
        }
        return host
    }

    /// An origin as browsers send it.
    func origin(_ text: String) throws(UsageError) -> String {
        guard text != "*" else {
            throw invalid(text, "allow-origin", "name each origin; '*' would let every page in")
        }
        guard let origin = AllowedNames.origin(text) else {
            throw invalid(
                text, "allow-origin",
                "an origin is SCHEME://HOST or SCHEME://HOST:PORT, such as "
                    + "https://app.example.test, or null")
        }
        return origin
    }

    /// `name:mode`
    func handler(_ text: String) throws(UsageError) -> (name: String, isReply: Bool) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1] == "reply" || parts[1] == "plain" else {
            throw invalid(text, "handler", "it is NAME:reply or NAME:plain")
        }
        return (String(parts[0]), parts[1] == "reply")
    }

    func invalid(_ value: String, _ option: String, _ reason: String) -> UsageError {
        UsageError(message: "The value '\(value)' is invalid for '\(label(option))': \(reason)", path: path)
    }

    private func label(_ option: String) -> String {
        path.command.options.first { $0.name == option }?.label ?? "--\(option)"
    }
}

extension Environment {
    /// `BRIDGEHEAD_PORT`.
    func port() throws(CommandFailure) -> Int? {
        guard let text = self["BRIDGEHEAD_PORT"] else { return nil }
        guard let port = Int(text), (0...65535).contains(port) else {
            throw CommandFailure(.configuration, "BRIDGEHEAD_PORT must be a port from 0 to 65535, not '\(text)'.")
        }
        return port
    }

    /// `BRIDGEHEAD_LOG_LEVEL`.
    func logLevel() throws(CommandFailure) -> LogLevel? {
        guard let text = self["BRIDGEHEAD_LOG_LEVEL"] else { return nil }
        guard let level = LogLevel(text) else {
            let names = LogLevel.names.joined(separator: ", ")
            throw CommandFailure(.configuration, "BRIDGEHEAD_LOG_LEVEL must be one of \(names), not '\(text)'.")
        }
        return level
    }
}

import BridgeJSON
import Bridgehead

/// What `serve` writes while it runs: information and traffic to standard output, warnings and errors to standard error.
enum ServeLog {
    /// What all of a server's lines go through.
    static func gate(_ options: ServeOptions) -> LogGate { LogGate(isOpen: asksForAll(options)) }

    static func make(_ options: ServeOptions, console: Console, gate: LogGate) -> BridgeLog {
        guard let minimum = level(options).minimum else { return .none }
        let isJSON = options.logsJSON
        let write: BridgeLog.Write = { level, message, fields in
            let stream: Console.Stream = level >= .warning ? .error : .output
            let time = Timestamp.now()
            let fields = LogLine.shortened(fields)
            let line =
                if isJSON {
                    LogLine.json(time: time, level: level, message: message, fields: fields)
                } else if message == "no handler for this event" {
                    unhandled(time, level, message, fields, console.errorStyle)
                } else {
                    LogLine.text(time: time, level: level, message: message, fields: fields)
                }
            console.log(line, to: stream) { warning(lost($0), isJSON) }
        }
        return BridgeLog(minimum: minimum) { level, message, fields in
            guard gate.passes(telling: { write(.warning, $0, []) }) else { return }
            write(level, message, fields)
        }
    }

    /// What sees the traffic; nil where nobody asked for it, so that it costs nothing.
    static func traffic(
        _ options: ServeOptions, console: Console, gate: LogGate, isMocked: @escaping @Sendable (JSONString) -> Bool
    ) -> BridgeLog.Traffic? {
        let isAsked = asksForAll(options)
        guard isAsked || (console.outputIsTerminal && level(options) == .info) else { return nil }
        let isJSON = options.logsJSON
        let write: @Sendable (String) -> Void = { line in
            let passes = gate.passes { notice in
                console.log(warning(notice, isJSON), to: .error) { warning(lost($0), isJSON) }
            }
            if passes { console.log(line, to: .output) { warning(lost($0), isJSON) } }
        }
        if isJSON {
            return { session, direction, text in
                let fields = [("session", session), ("text", String(decoding: text, as: UTF8.self))]
                write(
                    LogLine.json(
                        time: Timestamp.now(), level: .debug, message: "\(direction)",
                        fields: isAsked ? fields : LogLine.shortened(fields)))
            }
        }
        let traffic = Traffic(style: console.outputStyle, showsProtocol: isAsked, isMocked: isMocked, write: write)
        return { traffic.see($0, $1, $2) }
    }

    private static func warning(_ message: String, _ isJSON: Bool) -> String {
        let time = Timestamp.now()
        return isJSON
            ? LogLine.json(time: time, level: .warning, message: message, fields: [])
            : LogLine.text(time: time, level: .warning, message: message, fields: [])
    }

    private static func lost(_ count: Int) -> String { "\(count) lines were lost: nobody read them" }

    private static func asksForAll(_ options: ServeOptions) -> Bool {
        level(options).rawValue <= LogLevel.debug.rawValue
    }

    private static func level(_ options: ServeOptions) -> LogLevel {
        options.logLevel ?? (options.quiet ? .warning : .info)
    }

    /// Says what to do, ready to paste: the handler in Swift, or the line in the answers file.
    private static func unhandled(
        _ time: String, _ level: BridgeLog.Level, _ message: String, _ fields: BridgeLog.Fields, _ style: Style
    ) -> String {
        let event = fields.first { $0.key == "event" }?.value ?? ""
        let help = fields.first { $0.key == "help" }?.value ?? ""
        let marker = ". To add one: "
        let parts = help.firstRange(of: marker)
        let reason = parts.map { String(help[..<$0.lowerBound]) } ?? help
        let handler = parts.map { String(help[$0.upperBound...]) } ?? ""
        let plain = fields.filter { $0.key != "help" && $0.key != "nearest" }
        let lines = [
            LogLine.text(time: time, level: level, message: message, fields: plain),
            "  \(LogLine.printable(reason))",
            "  In Swift:            \(style.cyan(LogLine.printable(handler)))",
            "  In the answers file: \(style.cyan(LogLine.printable("\(JSON(event)): { \"response\": null },")))",
        ]
        return lines.joined(separator: "\n")
    }
}

import Bridgehead

/// Where `serve` writes its log: information to standard output, warnings and errors to standard error.
enum ServeLog {
    static func make(_ options: ServeOptions, console: Console) -> BridgeLog {
        let level = options.logLevel ?? (options.quiet ? .warning : .info)
        guard let minimum = level.minimum else { return .none }
        let isJSON = options.logsJSON
        return BridgeLog(minimum: minimum) { level, message, fields in
            let stream: Console.Stream = level >= .warning ? .error : .output
            let time = Timestamp.now()
            let line =
                isJSON
                ? LogLine.json(time: time, level: level, message: message, fields: fields)
                : LogLine.text(time: time, level: level, message: message, fields: fields)
            console.write(line, to: stream)
        }
    }
}

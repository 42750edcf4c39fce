import Foundation

/// Servers under everything that goes wrong, and whether both sides tell the same of it. See ``Options/help``.
@main
enum Soak {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let options: Options
        do throws(Options.WrongUse) {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            write("Error: \(error.reason)\n\n\(Options.help)", to: .standardError)
            exit(64)
        }
        if options.help { return print(Options.help) }
        do {
            if let ledger = options.serve { exit(try await Serve.run(ledger: ledger)) }
            exit(try Run(options).result() ? 0 : 1)
        } catch {
            write("Error: a server did not start: \(error)", to: .standardError)
            exit(69)
        }
    }

    static func write(_ line: String, to handle: FileHandle = .standardOutput) {
        try? handle.write(contentsOf: Data("\(line)\n".utf8))
    }
}

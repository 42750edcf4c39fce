import BridgeSockets
import Foundation

/// Measures the release build of `bridgehead` beside Node with `ws`. See ``Options/help``.
@main
enum Benchmark {
    static func main() async {
        let options: Options
        do throws(BenchmarkError) {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            write("Error: \(error)\n\n\(Options.help)", to: .standardError)
            exit(64)
        }
        guard !options.help else { return print(Options.help) }
        let signals = Children.endWithSignals()
        do {
            try await measure(options)
        } catch {
            write("Error: \(error)", to: .standardError)
            exit(1)
        }
        for source in signals { source.cancel() }
    }

    private static func measure(_ options: Options) async throws {
        raiseDescriptorLimit()
        let measurements = Measurements(tools: try Tools(), options: options, load: Load(loop: try EventLoop()))
        var results: [Result] = []
        if !options.json { write(Result.header, to: .standardOutput) }
        try await measurements.run { result in
            results.append(result)
            if !options.json { write(result.row, to: .standardOutput) }
        }
        if options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(results), as: UTF8.self))
        }
    }

    /// At once, into a file too: a run takes minutes.
    private static func write(_ line: String, to handle: FileHandle) {
        handle.write(Data("\(line)\n".utf8))
    }
}

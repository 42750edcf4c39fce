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
            report("Error: \(error)\n\n\(Options.help)")
            exit(64)
        }
        guard !options.help else { return print(Options.help) }
        let signals = Children.endWithSignals()
        do {
            try await measure(options)
        } catch {
            report("Error: \(error)")
            exit(1)
        }
        for source in signals { source.cancel() }
    }

    private static func measure(_ options: Options) async throws {
        raiseDescriptorLimit()
        let measurements = Measurements(tools: try Tools(), options: options, load: Load(loop: try EventLoop()))
        var results: [Result] = []
        if !options.json { print(Result.header) }
        try await measurements.run { result in
            results.append(result)
            if !options.json { print(result.row) }
        }
        if options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(results), as: UTF8.self))
        }
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

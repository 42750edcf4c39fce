import BridgeWire

extension Command {
    /// The whole command line of a program that serves a bridge.
    static func root(program: String) -> Command {
        Command(
            name: program,
            abstract: "The native end of a WebView bridge, on your own machine.",
            discussion: """
                Examples:
                  \(program) serve                          Serve the bridge and its pages.
                  \(program) serve --answers answers.json   Answer events without Swift.
                  \(program) call getDeviceInfo             Send one event, print its answer.
                  \(program) browse URL                     Show a page as an app would, and what it does.
                  \(program) conformance --target URL       Test a bridge, rule by rule.
                """,
            subcommands: [
                .serve(program: program), .call(program: program), .browse(program: program),
                .conformance(program: program),
            ])
    }

    private static func serve(program: String) -> Command {
        Command(
            name: "serve",
            abstract: "Answer pages as the app's native side would, until interrupted.",
            discussion: """
                Examples:
                  \(program) serve --port 0 --port-file port.txt
                  \(program) serve --answers answers.json --root ./dist --open
                  \(program) serve --allow-origin https://app.example.test

                Environment: BRIDGEHEAD_PORT and BRIDGEHEAD_LOG_LEVEL stand in for options that are not
                given. BRIDGEHEAD_TOKEN is a token that every caller then needs.
                """,
            options: serveOptions)
    }

    private static let serveOptions: [Option] = [
        Option(
            name: "port", value: "port",
            help: "The port to listen on; 0 takes any that is free. (default: 7357)"),
        Option(
            name: "strict-port",
            help:
                "Fail when the port is in use. Without this the next one is tried if standard output is a terminal and "
                + "CI is not set in the environment; otherwise it fails just the same."),
        Option(name: "port-file", value: "file", help: "Write the port to this file once it is listening."),
        Option(
            name: "host", value: "address",
            help: "Listen on this address instead of loopback, for other devices; all callers then need the token "
                + "that is printed."),
        Option(
            name: "allow-host", value: "name", repeats: true,
            help: "Take requests whose Host has this name, beside the loopback names."),
        Option(
            name: "allow-origin", value: "origin", repeats: true,
            help: "Let pages of this origin call, beside those served from loopback names."),
        Option(
            name: "lines", value: "port",
            help: "Also take one JSON message a line over TCP on this loopback port; 0 takes any."),
        Option(name: "unix", value: "path", help: "The same over a Unix-domain socket at this path."),
        Option(name: "root", value: "dir", help: "Serve pages from this folder instead of the bundled ones."),
        Option(
            name: "answers", value: "file",
            help: "Answer the events named in this JSON file as it says; read again whenever it is saved."),
        Option(
            name: "handler", value: "name:mode", repeats: true,
            help: "Give pages webkit.messageHandlers.<name> in this mode: reply or plain."),
        Option(
            name: "limit", value: "name=value", repeats: true,
            help: "Set a limit, such as message=1048576; times in seconds. The names: "
                + BridgeLimits.names.joined(separator: ", ") + "."),
        Option(
            name: "drain-timeout", value: "seconds",
            help: "How long to wait for running requests when stopping. (default: 5)"),
        Option(name: "no-conformance", help: "Leave out the conformance.* events and the JSON-RPC specification's."),
        Option(name: "open", help: "Open the start page in a browser; BROWSER names which, BROWSER=none wins."),
        Option(name: "quiet", help: "Print only the line that names the port, warnings and errors."),
        Option(
            name: "log-level", value: "level",
            help: "Log from this level on: \(LogLevel.names.joined(separator: ", ")). debug shows traffic. "
                + "(default: info)"),
        Option(name: "log-format", value: "format", help: "Log as text or json. (default: text)"),
    ]

    private static func call(program: String) -> Command {
        Command(
            name: "call",
            abstract: "Send one event to a running server and print its answer.",
            discussion: """
                Examples:
                  \(program) call getRandomTitle
                  \(program) call download '{"url": "https://example.test/a.zip"}' --timeout 30
                  echo '[42, 23]' | \(program) call subtract - --json-rpc

                The result goes to standard output as one line of JSON; progress and failures go to
                standard error. Exit codes: 0 answered, 1 the answer is a failure, 65 bad payload,
                69 no server or no bridge, 74 the answer could not be printed, 75 timed out.
                """,
            positionals: [
                Positional(name: "event", help: "The name of the event."),
                Positional(
                    name: "payload", isRequired: false,
                    help: "Its payload as JSON, an object or an array; - reads it from standard input."),
            ],
            options: [
                Option(
                    name: "url", value: "url",
                    help: "Where the server is: ws://, http://, lines://HOST:PORT or unix:PATH. "
                        + "(default: ws://127.0.0.1:7357/_bridge/ws, or the port in BRIDGEHEAD_PORT)"),
                Option(name: "timeout", value: "seconds", help: "Give up, and cancel the request, after so long."),
                Option(name: "json-rpc", help: "Speak JSON-RPC 2.0 instead of the event dialect."),
                Option(name: "notify", help: "Send a notification: nothing is answered, nothing printed."),
                Option(name: "json", help: "Print a failure too as JSON on standard output."),
            ])
    }
}

extension Command {
    static func conformance(program: String) -> Command {
        Command(
            name: "conformance",
            abstract: "Test a bridge, rule by rule, and say what is right and what is not.",
            discussion: """
                Examples:
                  \(program) conformance --target ws://127.0.0.1:7357
                  \(program) conformance --target lines://127.0.0.1:9000 --profile core
                  \(program) conformance --self --format junit > conformance.xml
                  \(program) conformance --app --host 0.0.0.0 --envelope envelope.json
                  \(program) conformance --page 'http://localhost:3000/?bridge={{host}}'

                The target has the events of the conformance service; PROTOCOL.md, section 11, lists them.
                With --app a page tests the app that opens it in its own WebView. With --page
                this is the native side of a page, opened in a browser of Chromium's family, which
                BROWSER_PATH or BRIDGEHEAD_BROWSER may name too.
                Exit codes: 0 all passed, 1 something failed, 64 wrong use, 65 bad envelope, 66 no
                such file, 69 the target cannot be reached, no page came or there is no browser,
                71 --self may open too few files (ulimit -n), 74 the report could not be printed
                (that nobody reads it, as with '| head', is no fault), 75 the app fell silent, 78 the
                port is in use, 130 interrupted, with a report of what was run.
                BRIDGEHEAD_TOKEN is the target's token; with --app, the one that the page needs.
                """,
            options: [
                Option(
                    name: "target", value: "url",
                    help: "The bridge to test: ws://, http://, lines://HOST:PORT or unix:PATH. Over ws and http a path "
                        + "is where messages go, if not to the bridge's own."),
                Option(
                    name: "self",
                    help:
                        "Test the bridge of this program, over every transport, with limits small enough to be reached; "
                        + "and its page, where there is a browser."
                ),
                Option(
                    name: "app",
                    help: "Serve a page that tests the app which opens it, and wait for its result. A visitor that has "
                        + "no bridge, such as a browser, is passed over."),
                Option(
                    name: "envelope", value: "file",
                    help: "With --app: how the app spells its messages, such as "
                        + "{\"eventName\": \"action\", \"requestId\": \"callbackId\", \"payload\": \"params\"}."),
                Option(
                    name: "page", value: "url",
                    help: "Test this page, opened in a browser; {{host}} in it is where it has to connect. "
                        + "'bundled' is the page of this program, with its own client."),
                Option(
                    name: "browser", value: "path",
                    help: "With --page: the browser to start, instead of one that is found."),
                Option(
                    name: "port", value: "port",
                    help: "With --app and --page: the port to listen on; 0 takes any. "
                        + "(default: 7357 with --app, else 0)"),
                Option(
                    name: "host", value: "address",
                    help: "With --app: listen on this address instead of loopback, for devices; the page then "
                        + "needs the token that is printed with its URL."),
                Option(
                    name: "profile", value: "name", repeats: true,
                    help: "Run this profile instead of those that the target claims: "
                        + ConformanceOptions.profileNames + ". Repeat it for more."),
                Option(
                    name: "format", value: "format",
                    help: "Print a list, junit (XML) or json. (default: list)"),
                Option(
                    name: "filter", value: "text",
                    help: "Run only vectors that have this in their names, or are of this rule or profile."),
                Option(
                    name: "timeout", value: "seconds",
                    help: "How long to wait for anything. A limit that cannot be tested in it is skipped. (default: 5) "
                        + "With --app: how long for the page, and while it runs for a sign of it. (default: 300) "
                        + "With --page: a page has 20 seconds to load and connect, if this is less."),
                Option(name: "bail", help: "End at the first failure. Not with --app."),
                Option(
                    name: "seed", value: "number",
                    help: "Shuffle, and make ids, by this number; the same number repeats a run. "
                        + "Not with --app."),
            ])
    }
}

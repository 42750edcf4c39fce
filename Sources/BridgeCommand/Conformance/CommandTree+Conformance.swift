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

                The target has the events of the conformance service; PROTOCOL.md, section 11, lists them.
                Exit codes: 0 all passed, 1 something failed, 64 wrong use, 69 the target cannot be
                reached, 74 the report could not be printed. BRIDGEHEAD_TOKEN is the target's token.
                """,
            options: [
                Option(
                    name: "target", value: "url",
                    help: "The bridge to test: ws://, http://, lines://HOST:PORT or unix:PATH."),
                Option(
                    name: "self",
                    help:
                        "Test the bridge of this program, over every transport, with limits small enough to be reached."
                ),
                Option(
                    name: "profile", value: "name", repeats: true,
                    help: "Run this profile instead of those that the target claims: "
                        + ConformanceOptions.profileNames + "."),
                Option(
                    name: "format", value: "format",
                    help: "Print a list, junit (XML) or json. (default: list)"),
                Option(
                    name: "filter", value: "text",
                    help: "Run only vectors that have this in their names, or are of this rule or profile."),
                Option(
                    name: "timeout", value: "seconds",
                    help: "How long to wait for anything. A limit that cannot be tested in it is skipped. (default: 5)"),
                Option(name: "bail", help: "End at the first failure."),
                Option(
                    name: "seed", value: "number",
                    help: "Shuffle, and make ids, by this number; the same number repeats a run."),
            ])
    }
}

extension Command {
    static func browse(program: String) -> Command {
        Command(
            name: "browse",
            abstract: "Show a page in a headless browser as an app's WebView would, and tell what it does.",
            discussion: """
                Examples:
                  \(program) browse http://localhost:7357/pages/plain.html
                  \(program) browse http://localhost:5173 --json --wait-for 5
                  \(program) browse http://localhost:5173 --viewport 393x852@3 --screenshot page.png
                  \(program) browse http://localhost:5173 --call 'return a + b' --arguments '{"a": 1, "b": 2}'

                What the page posts to webkit.messageHandlers.bridge is answered by this program's
                handlers. Events and URL changes go to standard output, a line each; with --call its
                result goes there alone, and they go to standard error. With --json each is an object:
                'event' names it; a change of the URL ('urlChange') has url, cause, committed, index
                and sequence; an event that the page posts ('posted') has name and payload, anything
                else that it posts ('postedBody') has handler and body.

                Arguments, results and bodies are JSON. What JSON has no word for is marked:
                {"$undefined": true}, {"$number": "NaN"} ("Infinity", "-Infinity", "-0") and
                {"$date": milliseconds}; {"$object": {...}} is a plain object whose only name begins
                with $. In an array, undefined is null. A BigInt is undefined, as in an app's WebView:
                return String(big) instead.

                Exit codes: 0 all was done, 1 the script of --call failed, 64 wrong use, 65 bad
                arguments, 69 the page cannot be loaded or there is no browser, 73 a file cannot be
                written (what is there and no regular file is left as it is), 74 standard output takes
                nothing, 75 timed out, 130 interrupted.
                """,
            positionals: [Positional(name: "url", help: "The page, http or https.")],
            options: [
                Option(
                    name: "wait-for", value: "event|seconds",
                    help:
                        "End when this has happened: an event of the navigation, such as committed; an event that the "
                        + "page posts, by its name; or so many seconds after the first commit. (default: finished)"),
                Option(
                    name: "call", value: "body",
                    help: "Then call this, the body of an async function, in the page, and print what it returns."),
                Option(name: "arguments", value: "json", help: "The function's arguments by name, as a JSON object."),
                Option(name: "screenshot", value: "file", help: "Then write a picture of the page, a PNG file."),
                Option(
                    name: "viewport", value: "WxH@scale",
                    help:
                        "Show it on a phone's screen of this size, such as 393x852@3. (default: 1024 by 768, no phone's)"
                ),
                Option(
                    name: "history", value: "file",
                    help: "Add every change of the URL to this file, a JSON object a line, from the moment it happens."),
                Option(
                    name: "timeout", value: "seconds",
                    help: "Give up when what is waited for or asked of the page has not come to its end by then. "
                        + "(default: 30)"),
                Option(
                    name: "browser", value: "path",
                    help: "The browser to start, instead of the one in BRIDGEHEAD_BROWSER or one that is found."),
                Option(name: "json", help: "Print JSON, an object a line."),
            ])
    }
}

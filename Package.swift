// swift-tools-version: 6.1
import PackageDescription

// One section a target, lowest layer first. A target imports only what its section lists;
// Tests/ArchitectureTests compares every `import` with this table.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func layer(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "bridgehead",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Bridgehead", targets: ["Bridgehead"]),
        .library(name: "BridgeServer", targets: ["BridgeServer"]),
        .library(name: "BridgeCommand", targets: ["BridgeCommand"]),
        .library(name: "PageModel", targets: ["PageModel"]),
        .library(name: "PageEngines", targets: ["PageEngines"]),
        .library(name: "ConnectedEngine", targets: ["ConnectedEngine"]),
        .library(name: "ChromiumEngine", targets: ["ChromiumEngine"]),
        .library(name: "BridgeTesting", targets: ["BridgeTesting"]),
        .executable(name: "bridgehead", targets: ["DemoBridge"]),
    ],
    targets: [
        // JSON text, values and Codable. Knows nothing of messages.
        layer("BridgeJSON"),
        tests("BridgeJSON", ["BridgeJSON"]),

        // HTTP/1.1 as bytes and values (RFC 9112). No I/O.
        layer("BridgeHTTP"),
        tests("BridgeHTTP", ["BridgeHTTP"]),

        // WebSocket as bytes and values (RFC 6455), both roles. No I/O.
        layer("BridgeWebSocket", ["BridgeHTTP"]),
        tests("BridgeWebSocket", ["BridgeWebSocket", "BridgeHTTP"]),

        // The two dialects, ids, failure codes, limits, line framing, the order of handlers. No I/O.
        layer("BridgeWire", ["BridgeJSON"]),
        tests("BridgeWire", ["BridgeWire", "BridgeJSON"]),

        // What an app engineer writes against: events, handlers, sessions. No I/O.
        layer("Bridgehead", ["BridgeWire", "BridgeJSON"]),
        tests("Bridgehead", ["Bridgehead", "BridgeWire", "BridgeJSON"]),

        // Dispatch and libc: the event loop and its sockets. Knows no protocol.
        layer("BridgeSockets"),
        tests("BridgeSockets", ["BridgeSockets"]),

        // A browser's process and the messages of the DevTools protocol. Knows no page, bridge or server.
        layer("BridgeDevTools", ["BridgeJSON"]),
        tests("BridgeDevTools", ["BridgeDevTools", "BridgeJSON"]),

        // Writes the pages and the JavaScript client as Swift literals, at build time.
        .executableTarget(name: "EmbedFixtures", swiftSettings: settings),
        .plugin(
            name: "EmbedFixturesPlugin", capability: .buildTool(), dependencies: ["EmbedFixtures"],
            path: "Sources/EmbedFixturesPlugin"),

        // The embedded files.
        .target(
            name: "WebFixtures", path: "web-fixtures",
            exclude: [
                "client", "conformance", "examples", "pages", "pictures", "shell", "vectors", "PROTOCOL.md",
                "THREAT_MODEL.md",
            ],
            sources: ["WebFixtures.swift"], swiftSettings: settings, plugins: ["EmbedFixturesPlugin"]),

        // Drivers that join the machines to the sockets: routes, access policy, limits, draining.
        layer(
            "BridgeServer", ["Bridgehead", "BridgeHTTP", "BridgeWebSocket", "BridgeSockets", "WebFixtures"]),
        tests(
            "BridgeServer",
            [
                "BridgeServer", "Bridgehead", "BridgeWire", "BridgeJSON", "BridgeHTTP", "BridgeWebSocket",
                "BridgeSockets", "WebFixtures",
            ]),

        // The page's end of a conversation, for `call` and for tests: one session over any transport.
        layer("BridgeClient", ["BridgeWire", "BridgeJSON", "BridgeHTTP", "BridgeWebSocket", "BridgeSockets"]),

        // What the rules mean, as transcripts, and who runs them on any target.
        layer(
            "BridgeConformance",
            [
                "BridgeClient", "BridgeDevTools", "BridgeWire", "BridgeJSON", "BridgeHTTP", "BridgeWebSocket",
                "BridgeSockets", "WebFixtures",
            ]),
        tests(
            "BridgeConformance",
            [
                "BridgeConformance", "BridgeClient", "BridgeWire", "BridgeJSON", "BridgeHTTP", "BridgeWebSocket",
                "BridgeSockets", "WebFixtures",
            ]),

        // A page as an app's presentation and logic see it: protocols and values. Knows no engine, no socket, no server.
        layer("PageModel"),
        tests("PageModel", ["PageModel", "BridgeJSON"]),

        // The page over whatever shows it, a bridge in the page, and a history of its URL changes.
        layer("PageEngines", ["PageModel", "Bridgehead", "BridgeWire", "BridgeJSON", "WebFixtures"]),
        tests("PageEngines", ["PageEngines", "PageModel", "Bridgehead", "BridgeTesting"]),

        // A page in a headless browser of Chromium's family.
        layer("ChromiumEngine", ["PageEngines", "PageModel", "BridgeDevTools", "BridgeJSON", "WebFixtures"]),
        tests(
            "ChromiumEngine",
            [
                "ChromiumEngine", "BridgeTesting", "PageEngines", "PageModel", "Bridgehead", "BridgeServer",
                "BridgeDevTools", "BridgeJSON", "BridgeHTTP", "BridgeSockets", "WebFixtures",
            ]),

        // A page in any browser that is connected to a bridge's server through the client.
        layer("ConnectedEngine", ["PageEngines", "PageModel", "Bridgehead", "BridgeWire", "BridgeJSON"]),
        tests("ConnectedEngine", ["ConnectedEngine", "PageEngines", "PageModel", "Bridgehead", "BridgeJSON"]),

        // One suite for all that can show a page.
        .testTarget(
            name: "BackingBehaviourTests",
            dependencies: [
                "ConnectedEngine", "ChromiumEngine", "BridgeTesting", "PageEngines", "PageModel", "BridgeServer",
                "Bridgehead", "BridgeDevTools",
            ], swiftSettings: settings),

        // The worked example: an in-app browser's presentation and logic, on the page model alone.
        layer("InAppBrowser", ["PageModel"]),
        tests("InAppBrowser", ["InAppBrowser", "PageEngines", "PageModel", "BridgeTesting"]),

        // The phone shell: its page is a view, and this is what it shows.
        layer(
            "PhoneShell",
            [
                "InAppBrowser", "ConnectedEngine", "PageEngines", "PageModel", "BridgeClient", "BridgeServer",
                "BridgeHTTP", "Bridgehead", "WebFixtures",
            ]),
        tests(
            "PhoneShell",
            [
                "PhoneShell", "BridgeTesting", "ChromiumEngine", "PageEngines", "PageModel", "BridgeServer",
                "Bridgehead", "BridgeHTTP",
            ]),

        // The command line, for anyone's bridge.
        layer(
            "BridgeCommand",
            [
                "BridgeConformance", "PhoneShell", "InAppBrowser", "ChromiumEngine", "PageEngines", "PageModel",
                "BridgeClient", "BridgeDevTools", "BridgeServer", "Bridgehead", "BridgeWire", "BridgeJSON",
                "BridgeSockets",
            ]),
        tests("BridgeCommand", ["BridgeCommand", "DemoBridge", "BridgeDevTools", "BridgeJSON"]),

        // For users' own tests: a bridge on a free port, client sessions, pages with a browser and without, assertions.
        layer(
            "BridgeTesting",
            [
                "ChromiumEngine", "PageEngines", "PageModel", "BridgeClient", "BridgeServer", "Bridgehead",
                "BridgeWire",
            ]),
        tests(
            "BridgeTesting",
            [
                "BridgeTesting", "InAppBrowser", "ChromiumEngine", "PageEngines", "PageModel", "BridgeServer",
                "Bridgehead", "BridgeJSON",
            ]),

        // The demo's events; `bridgehead` on the command line.
        .executableTarget(
            name: "DemoBridge",
            dependencies: ["BridgeCommand", "ConnectedEngine", "PageEngines", "PageModel", "Bridgehead"],
            swiftSettings: settings),
        tests("DemoBridge", ["DemoBridge", "Bridgehead", "BridgeTesting"]),

        // Measures the server from outside, beside Node. Neither a product nor a test.
        .executableTarget(
            name: "BridgeBenchmark",
            dependencies: [
                "ChromiumEngine", "PageEngines", "PageModel", "BridgeDevTools", "BridgeHTTP", "BridgeSockets",
                "BridgeWebSocket", "BridgeJSON",
            ],
            path: "Tests/Benchmark", exclude: ["in-page.mjs", "node-server.cjs"], swiftSettings: settings),

        // Sessions under every fault, and whether both sides' ledgers agree afterwards. No product; the ledgers are tested.
        .executableTarget(
            name: "BridgeSoak", dependencies: ["BridgeServer", "Bridgehead", "BridgeHTTP", "BridgeWebSocket"],
            path: "Tests/Soak", swiftSettings: settings),
        tests("BridgeSoak", ["BridgeSoak"]),

        // Seeded inputs that are nearly right, for every codec, machine and the server. Neither a product nor a test.
        .executableTarget(
            name: "BridgeFuzz",
            dependencies: [
                "BridgeCommand", "BridgeServer", "Bridgehead", "BridgeWire", "BridgeJSON", "BridgeHTTP",
                "BridgeWebSocket",
            ],
            path: "Tests/Fuzz", swiftSettings: settings),
        tests("BridgeFuzz", ["BridgeFuzz"]),

        // What holds for the tree as a whole.
        .testTarget(name: "ArchitectureTests", swiftSettings: settings),

        // The suites that need Node, Chromium or Python, where those are installed; `Tests/run` installs them.
        .testTarget(name: "ExternalTests", swiftSettings: settings),
    ]
)

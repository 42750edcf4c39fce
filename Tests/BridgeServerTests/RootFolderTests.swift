import BridgeServer
import Foundation
import Testing

/// A folder of pages with traps in it, removed at the end.
private struct Site {
    let root: URL
    let outside: URL

    init() throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "bridgehead-\(UUID().uuidString)")
        root = base.appending(path: "root")
        outside = base.appending(path: "root-secret")
        let files = FileManager.default
        for folder in ["root/sub", "root/.git", "root/sub/.hidden", "root/empty", "root-secret"] {
            try files.createDirectory(at: base.appending(path: folder), withIntermediateDirectories: true)
        }
        for (path, text) in [
            ("root/index.html", "index"), ("root/a b.txt", "space"), ("root/ü.css", "umlaut"),
            ("root/%.txt", "percent"),
            ("root/sub/index.html", "sub"), ("root/sub/x.mjs", "module"), ("root/.env", "secret"),
            ("root/.git/config", "secret"), ("root/sub/.hidden/x.txt", "secret"), ("root-secret/x.txt", "secret"),
            ("root/..x", "secret"), ("root/empty.txt", ""),
        ] {
            try Data(text.utf8).write(to: base.appending(path: path))
        }
        for (link, target) in [
            ("root/out", "../root-secret"), ("root/out.txt", "../root-secret/x.txt"), ("root/abs.txt", "/etc/passwd"),
            ("root/dot.txt", ".env"), ("root/loop", "loop"), ("root/inner.txt", "sub/x.mjs"), ("root/up", ".."),
        ] {
            try files.createSymbolicLink(atPath: base.appending(path: link).path, withDestinationPath: target)
        }
    }

    func remove() { try? FileManager.default.removeItem(at: root.deletingLastPathComponent()) }
}

/// PROTOCOL.md, section 1, the row of the pages.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RootFolderTests {
    private func get(_ paths: [String], _ check: @escaping @Sendable (String, HTTPReply) -> Void) async throws {
        let site = try Site()
        defer { site.remove() }
        try await TestServer.run(behaviourBridge(), { $0.root = site.root.path }) { server in
            let client = try await server.client()
            for path in paths { check(path, try await client.request("GET \(path)")) }
        }
    }

    @Test("Files, folders' indexes and links that stay inside are served, with their types")
    func served() async throws {
        let expected = [
            "/": ("index", "text/html; charset=utf-8"), "/index.html": ("index", "text/html; charset=utf-8"),
            "/a%20b.txt": ("space", "text/plain; charset=utf-8"), "/%C3%BC.css": ("umlaut", "text/css; charset=utf-8"),
            "/%25.txt": ("percent", "text/plain; charset=utf-8"), "/sub/": ("sub", "text/html; charset=utf-8"),
            "/sub/x.mjs?v=1": ("module", "text/javascript; charset=utf-8"),
            "/inner.txt": ("module", "text/plain; charset=utf-8"), "/empty.txt": ("", "text/plain; charset=utf-8"),
            "/%69ndex.html": ("index", "text/html; charset=utf-8"),
        ]
        try await get(Array(expected.keys)) { path, reply in
            #expect(reply.status == 200, "\(path)")
            #expect(reply.text == expected[path]?.0, "\(path)")
            #expect(reply["Content-Type"] == expected[path]?.1, "\(path)")
        }
    }

    @Test("A folder without its slash leads to it; / does not")
    func folder() async throws {
        try await get(["/sub", "/sub?a=b"]) { path, reply in
            #expect(reply.status == 301)
            #expect(reply["Location"] == path.replacing("/sub", with: "/sub/"))
        }
    }

    @Test("Nothing outside the root, nothing hidden, nothing half")
    func refused() async throws {
        let paths = [
            "/../root-secret/x.txt", "/%2e%2e/root-secret/x.txt", "/..%2froot-secret/x.txt", "/.%2e/root-secret/x.txt",
            "/sub/../../root-secret/x.txt", "/sub/%2e%2e/%2e%2e/root-secret/x.txt", "/..%5croot-secret%5cx.txt",
            "/sub%2fx.mjs", "/sub%5cx.mjs", "/%2e%2e%2f%2e%2e%2fetc/passwd", "//etc/passwd", "/sub//x.mjs",
            "/./index.html",
            "/sub/./x.mjs", "/sub/../index.html", "/.env", "/%2eenv", "/.git/config", "/.git/", "/sub/.hidden/x.txt",
            "/..x", "/out/x.txt", "/out/", "/out.txt", "/abs.txt", "/dot.txt", "/loop", "/up/",
            "/index.html%00", "/index.html%00.css", "/%ff", "/%c0%ae%c0%ae/x", "/%", "/%zz", "/%2", "/empty/", "/nope",
            "/index.html/", "/index.html/x",
        ]
        try await get(paths) { path, reply in
            #expect(reply.status == 404, "\(path)")
            #expect(!reply.text.contains("secret") && !reply.text.contains("root:"), "\(path)")
        }
    }

    @Test("A large file comes whole to a slow reader, and the descriptor is closed when it goes away")
    func large() async throws {
        let site = try Site()
        defer { site.remove() }
        let contents = Data((0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let file = site.root.appending(path: "large.bin")
        try contents.write(to: file)
        try await TestServer.run(behaviourBridge(), { $0.root = site.root.path }) { server in
            let client = try await server.client()
            await client.pauseReading()
            await client.send(RequestText.text("GET /large.bin") + RequestText.text("GET /index.html"))
            _ = try await server.client().request("GET /_bridge/health")
            await client.resumeReading()
            let reply = try await client.reply()
            #expect(reply["Content-Length"] == String(contents.count))
            #expect(reply.body == Array(contents))
            #expect(try await client.reply().text == "index")
            #expect(try await client.request("HEAD /large.bin")["Content-Length"] == String(contents.count))

            // Others give up in the middle.
            for _ in 0..<20 {
                let other = try await server.client()
                await other.send(RequestText.text("GET /large.bin"))
                _ = try await other.bytes(1_000)
                await other.close()
            }
            // Each was noticed once the server answers this, or soon after.
            while openDescriptors(of: file) > 0 { await Task.yield() }
        }
    }

    private func openDescriptors(of file: URL) -> Int {
        #if os(Linux)
            let path = file.resolvingSymlinksInPath().path
            let files = FileManager.default
            let open = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return open.count { (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
        #else
            return 0
        #endif
    }

    @Test("A changed file has another tag")
    func changed() async throws {
        let site = try Site()
        defer { site.remove() }
        try await TestServer.run(behaviourBridge(), { $0.root = site.root.path }) { server in
            let client = try await server.client()
            let tag = try #require(try await client.request("GET /index.html")["ETag"])
            #expect(try await client.request("GET /index.html", ["If-None-Match: \(tag)"]).status == 304)
            try Data("changed".utf8).write(to: site.root.appending(path: "index.html"))
            let reply = try await client.request("GET /index.html", ["If-None-Match: \(tag)"])
            #expect(reply.status == 200)
            #expect(reply.text == "changed")
        }
    }
}

import BridgeHTTP

/// `Content-Type`: of a file, by its name; of a request.
enum ContentType {
    /// Whether a request's body may be taken for JSON. One of these types makes a browser ask first when the page is of
    /// another origin; without an origin no browser is asking.
    static func isJSON(_ fields: HTTPFields) -> Bool {
        let values = fields.values("Content-Type")
        guard let value = values.first else { return fields.count(of: "Origin") == 0 }
        let type = value.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased()
        return values.count == 1
            && ["application/json", "application/json-rpc", "application/jsonrequest"].contains(type)
    }

    static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return table[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"

    private static let table: [String: String] = [
        "html": "text/html; charset=utf-8",
        "htm": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        // A type declaration is text to people; the registered video type would mislead.
        "ts": "text/plain; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "json": "application/json",
        "map": "application/json",
        "webmanifest": "application/manifest+json",
        "xml": "application/xml",
        "wasm": "application/wasm",
        "pdf": "application/pdf",
        "svg": "image/svg+xml",
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "gif": "image/gif",
        "webp": "image/webp",
        "avif": "image/avif",
        "ico": "image/vnd.microsoft.icon",
        "woff": "font/woff",
        "woff2": "font/woff2",
        "ttf": "font/ttf",
        "otf": "font/otf",
        "mp3": "audio/mpeg",
        "wav": "audio/wav",
        "mp4": "video/mp4",
        "webm": "video/webm",
    ]
}

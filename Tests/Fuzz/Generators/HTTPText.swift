/// Requests and responses of HTTP/1.1, one after another, with what smugglers and the careless send.
enum HTTPText {
    static let tokens: [[UInt8]] = [
        "\r\n", "\r", "\n", "\r\n\r\n", " ", "\t", ":", ": ", ",", ";", "\0", "\u{7F}", "é", "Content-Length: 5\r\n",
        "Content-Length: +5\r\n", "Content-Length: 5, 5\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding : chunked\r\n", " folded\r\n", "0\r\n\r\n",
        "5;a=b\r\nhello\r\n", "ffffffffffffffff\r\n", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.9", "GET / ", "*",
        "Host: a\r\n", "Host: [::1]:80\r\n", "Host: a@b\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n",
        "Connection: Upgrade\r\n", "Upgrade: websocket\r\n", "http://a/", "http://", "//", "/%2e%2e/", "?a=%zz&b=+",
        "99999999999999999999", "100", "204", "304",
    ].map { Array($0.utf8) }

    static let methods = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "CONNECT", "TRACE", "PATCH", "get", "M-X"]
    static let targets = [
        "/", "/_bridge/rpc", "/_bridge/health", "/_bridge/echo", "/_bridge/client.js", "/a%20b?q=%31+x&q&=&t=1", "*",
        "http://localhost/x?y", "HTTP://a:80", "localhost:80", "/../x", "/%00", "/a#b", "//a//b", "/?token=x",
        "/.hidden",
    ]

    static func requests(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...random.below(3) { bytes += request(&random) }
        if random.below(3) > 0 { random.mutate(&bytes, tokens: tokens) }
        return bytes
    }

    static func request(_ random: inout FuzzRandom) -> [UInt8] {
        let method = random.pick(methods)
        var bytes: [UInt8] = random.once(in: 12) ? Array("\r\n") : []
        bytes +=
            "\(method) \(random.pick(targets)) \(random.pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0"]))\r\n"
        if random.below(12) > 0 {
            bytes += "Host: \(random.pick(["localhost", "localhost:80", "[::1]", "", "a.b"]))\r\n"
        }
        fields(&random, &bytes)
        body(&random, &bytes, isLikely: method == "POST" || method == "PUT")
        return bytes
    }

    static func responses(_ random: inout FuzzRandom) -> [UInt8] {
        // The first byte says which methods are answered.
        var bytes = [random.byte()]
        for _ in 0...random.below(3) {
            let status = random.pick(["200", "200", "200", "100", "101", "204", "304", "404", "500", "099", "1000"])
            bytes += "HTTP/1.\(random.pick(["1", "1", "1", "0"])) \(status)\(random.pick([" OK", " ", "", " Né"]))\r\n"
            fields(&random, &bytes)
            body(&random, &bytes, isLikely: true)
        }
        if random.below(3) > 0 { random.mutate(&bytes, tokens: tokens) }
        return bytes
    }

    private static func fields(_ random: inout FuzzRandom, _ bytes: inout [UInt8]) {
        for _ in 0..<random.below(random.once(in: 12) ? 14 : 4) {
            switch random.below(5) {
            case 0: bytes += "Connection: \(random.pick(["close", "keep-alive", "Upgrade", "x, , CLOSE"]))\r\n"
            case 1: bytes += "Content-Type: \(random.pick(["application/json", "text/plain", "a/b; c=\"d\""]))\r\n"
            case 2: bytes += "Origin: \(random.pick(["null", "http://localhost", "https://evil.test", "é"]))\r\n"
            case 3:
                bytes += "\(random.pick(["X", "Accept", "expect", "If-None-Match"])):  \(random.below(1 << 20)) \t\r\n"
            default: bytes += random.pick(tokens)
            }
        }
    }

    private static func body(_ random: inout FuzzRandom, _ bytes: inout [UInt8], isLikely: Bool) {
        guard random.below(5) < (isLikely ? 4 : 1) else {
            bytes += "\r\n"
            return
        }
        let size = random.below(random.once(in: 8) ? 300 : 24)
        let content = random.once(in: 2) ? MessageText.make(&random, count: 1) : random.noise(upTo: size)
        if random.once(in: 2) {
            bytes += "Content-Length: \(random.once(in: 12) ? size : content.count)\r\n\r\n"
            bytes.append(contentsOf: content)
            return
        }
        bytes += "Transfer-Encoding: chunked\r\n\r\n"
        var rest = content[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(1 + random.below(rest.count))
            rest = rest.dropFirst(chunk.count)
            bytes += "\(String(chunk.count, radix: 16))\(random.pick(["", "", ";a=b", " ;x", " "]))\r\n"
            bytes.append(contentsOf: chunk)
            bytes += "\r\n"
        }
        bytes += random.pick(["0\r\n\r\n", "0\r\n\r\n", "0\r\nTrailer: x\r\n\r\n", "000\r\n\r\n"])
    }
}

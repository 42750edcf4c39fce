import BridgeWire

extension FuzzTarget {
    /// The lines transport, compared with what a simple reading of the rule gives. The first byte chooses the limit.
    static let lines = FuzzTarget(
        name: "lines",
        generate: { random in
            var bytes = [random.byte()]
            for _ in 0...random.below(6) {
                switch random.below(5) {
                case 0: bytes += [UInt8](repeating: UInt8(ascii: "x"), count: random.pick([0, 15, 16, 17, 63, 64, 65]))
                case 1:
                    bytes += random.pick(["GET / HTTP/1.1", "Host: a", "HOST:", "POST ", " \t", "hosT", "OPTIONS x"])
                case 2: bytes += random.noise(upTo: 12)
                default: bytes += MessageText.make(&random, count: 1).prefix(random.below(80))
                }
                bytes += random.pick(["\n", "\n", "\n", "\r\n", "\r\r\n", "\n\n", "\r", ""])
            }
            if random.once(in: 2) {
                random.mutate(&bytes, tokens: ["\n", "\r", "\r\n", "GET ", "host:"].map { Array($0.utf8) })
            }
            return bytes
        }
    ) { bytes throws(FuzzFault) in
        guard let choice = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let limit = choice & 1 == 0 ? 16 : 64
        let seen = try requireSame(input) { pieces in
            var framer = LineFramer(limit: limit)
            var seen: [Line] = []
            for piece in pieces { input[piece].withUnsafeBytes { framer.feed($0) { seen.append(Line($0)) } } }
            framer.finish { seen.append(Line($0)) }
            return seen
        }
        try require(seen == expected(input, limit: limit), "\(seen) instead of \(expected(input, limit: limit))")
    }

    private enum Line: Equatable {
        case line([UInt8])
        case tooLong
        case webRequest

        init(_ event: LineFramer.Event) {
            switch event {
            case .line(let bytes): self = .line(Array(bytes))
            case .tooLong: self = .tooLong
            case .webRequest: self = .webRequest
            }
        }
    }

    private static func expected(_ input: [UInt8], limit: Int) -> [Line] {
        let methods = ["GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH "]
        var lines: [Line] = []
        for part in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Array(part.last == UInt8(ascii: "\r") ? part.dropLast() : part)
            let lowercased = line.prefix(5).map { $0 < 0x5B && $0 > 0x40 ? $0 + 0x20 : $0 }
            if lowercased == Array("host:".utf8) || methods.contains(where: { line.starts(with: $0.utf8) }) {
                return lines + [.webRequest]
            }
            if line.count > limit { return lines + [.tooLong] }
            if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { lines.append(.line(line)) }
        }
        return lines
    }
}

import BridgeCommand

extension FuzzTarget {
    /// The file of `serve --answers`.
    static let answers = FuzzTarget(
        name: "answers",
        generate: { random in
            var bytes = Array("{ // answers\n".utf8)
            for _ in 0..<random.below(4) {
                bytes += "\"\(random.pick(["echo", "getTitle", "$/hello", "$schema", "é", "echo"]))\":"
                let isList = random.once(in: 3)
                if isList { bytes += "[" }
                for _ in 0...random.below(2) {
                    bytes += "{"
                    for _ in 0..<random.below(4) {
                        bytes += random.pick([
                            "\"delay\":1e3", "\"delay\":-1", "\"delay\":1e308", "\"delay\":86400000",
                            "\"response\":null",
                            "\"error\":{\"code\":4001,\"message\":\"m\"}", "\"error\":{\"code\":4294967296}",
                            "\"eror\":1",
                            "\"progress\":[1,2]", "\"progress\":1", "\"response\":{\"a\":1,\"a\":2}", "\"x\\\"\":1",
                        ])
                        bytes += random.pick([",", ",", "/* , */,", ",// ,\n", ""])
                    }
                    bytes += "},"
                }
                bytes += isList ? "]," : ""
            }
            bytes += "}\n"
            if random.below(3) > 0 { random.mutate(&bytes, tokens: JSONText.tokens) }
            return bytes
        }
    ) { bytes throws(FuzzFault) in
        let lines = bytes.count { $0 == 0x0A } + 1
        do throws(AnswersError) {
            _ = try AnswersFile(parsing: bytes)
        } catch {
            try require(!error.reason.isEmpty, "an error says nothing")
            let isSomewhere = (1...lines).contains(error.line) && (1...(bytes.count + 1)).contains(error.column)
            try require(isSomewhere, "the error is at \(error.line):\(error.column) of \(lines) lines")
        }
    }
}

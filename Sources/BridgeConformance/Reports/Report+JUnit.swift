extension Report {
    /// JUnit's XML, as CI systems read it: a suite a profile, a case a vector. A case's time is what it took, and all other
    /// times are sums of that; vectors run side by side, so that a run is shorter than its total.
    package var junit: String {
        let suites = Profile.allCases.compactMap { profile -> String? in
            let own = results.filter { $0.vector.profile == profile }
            return own.isEmpty ? nil : Self.suite(profile, own)
        }
        let counts = counts
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="bridgehead conformance" tests="\(results.count)" failures="\(counts.failed)" \
            skipped="\(counts.skipped)" errors="0" time="\(Self.time(results).seconds)">
            \(suites.joined())</testsuites>
            """
    }

    private static func suite(_ profile: Profile, _ results: [VectorResult]) -> String {
        var failed = 0
        var skipped = 0
        var cases = ""
        for result in results {
            var content = ""
            switch result.outcome {
            case .passed: break
            case .skipped(let reason):
                skipped += 1
                content = "<skipped message=\"\(escaped(reason))\"/>"
            case .failed(let failure):
                failed += 1
                let rule = Rules.embedded.text(result.vector.rule).map { "\(result.vector.rule): \($0)" }
                let text = ([rule].compactMap(\.self) + failure.lines + result.shortWire.map(\.shown)).joined(
                    separator: "\n")
                content = "<failure message=\"\(escaped(failure.message))\">\(escaped(text))</failure>"
            }
            cases += "    <testcase classname=\"\(profile.rawValue).\(escaped(result.vector.rule))\" "
            cases += "name=\"\(escaped(result.title))\" time=\"\(result.duration.seconds)\">\(content)</testcase>\n"
        }
        return "  <testsuite name=\"\(profile.rawValue)\" tests=\"\(results.count)\" failures=\"\(failed)\" "
            + "skipped=\"\(skipped)\" errors=\"0\" time=\"\(time(results).seconds)\">\n\(cases)  </testsuite>\n"
    }

    /// Of what is written, so that the sums are exact.
    private static func time(_ results: [VectorResult]) -> Duration {
        .milliseconds(results.reduce(0) { $0 + $1.duration.milliseconds })
    }

    /// Text for content and attributes. What XML 1.0 cannot say at all becomes its number in words.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }

    fileprivate var seconds: String {
        let milliseconds = milliseconds
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

extension Report {
    /// JUnit's XML, as CI systems read it: a suite a profile, a case a vector.
    package var junit: String {
        let suites = Profile.allCases.compactMap { profile -> String? in
            let own = results.filter { $0.vector.profile == profile }
            return own.isEmpty ? nil : Self.suite(profile, own)
        }
        let counts = counts
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="bridgehead conformance" tests="\(results.count)" failures="\(counts.failed)" \
            skipped="\(counts.skipped)" errors="0" time="\(duration.seconds)">
            \(suites.joined())</testsuites>
            """
    }

    private static func suite(_ profile: Profile, _ results: [VectorResult]) -> String {
        var failed = 0
        var skipped = 0
        var cases = ""
        var time = Duration.zero
        for result in results {
            time += result.duration
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
            + "skipped=\"\(skipped)\" errors=\"0\" time=\"\(time.seconds)\">\n\(cases)  </testsuite>\n"
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
    fileprivate var seconds: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

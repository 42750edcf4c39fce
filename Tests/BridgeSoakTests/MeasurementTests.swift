import BridgeSoak
import Testing

/// What a server keeps when it is at rest is told, and what is no fault is not.
@Suite struct MeasurementTests {
    /// Six phases in which nothing grows.
    private func faults(load: Int = 7, _ plant: (inout [Rest]) -> Void = { _ in }) -> [String] {
        var rest = Rest()
        (rest.descriptors, rest.heap, rest.resident) = (17, 1_200, 26_000)
        var rests = Array(repeating: rest, count: 6)
        plant(&rests)
        var measurement = Measurement(before: rest, load: 7)
        for rest in rests { measurement.add(rest) }
        return measurement.faults(load: load)
    }

    @Test func nothingIsLeft() {
        #expect(faults() == [])
        #expect(faults(load: 5) { $0[5].descriptors = 16 } == [])
    }

    @Test func whatIsLeftIsToldWhenever() {
        let kept: [(WritableKeyPath<Rest, Int>, String)] = [
            (\.sessions, "1 sessions"), (\.handlers, "1 handlers"), (\.calls, "1 calls"), (\.pages, "1 pages"),
        ]
        for (what, message) in kept {
            for phase in 0..<6 {
                let faults = faults { $0[phase][keyPath: what] = 1 }
                #expect(faults.count == 1 && faults[0].hasPrefix("after phase \(phase + 1) the server has"))
                #expect(faults.first?.contains(message) == true, "\(faults)")
            }
        }
    }

    @Test func memoryThatGrows() {
        let limits: [(WritableKeyPath<Rest, Int?>, Int, String)] = [
            (\.heap, Measurement.heapLimit, "allocated"), (\.resident, Measurement.residentLimit, "resident"),
        ]
        for (memory, limit, name) in limits {
            #expect(faults { $0[5][keyPath: memory]? += limit } == [])
            let growth = faults { $0[5][keyPath: memory]? += limit + 1 }
            #expect(growth == ["\(name) memory grew by \(limit + 1) KiB since the first phase, at most \(limit)"])
            // What was more in between, or before the first phase was over, is back.
            #expect(faults { $0[3][keyPath: memory]? += limit + 1 } == [])
            #expect(faults { $0[0][keyPath: memory]? += limit + 1 } == [])
        }
        #expect(faults { $0 = [$0[0]] } == [])
        #expect(faults { for index in $0.indices { ($0[index].heap, $0[index].resident) = (nil, nil) } } == [])
    }

    @Test func descriptorsThatAreKept() {
        #expect(faults { $0[5].descriptors = 18 } == ["the server has 18 descriptors, 17 before"])
        #expect(faults(load: 8) == ["the load has 8 descriptors, 7 before"])
    }
}

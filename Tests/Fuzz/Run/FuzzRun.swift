import Foundation
import Synchronization

/// Inputs of one target, one after another.
package struct FuzzRun: Sendable {
    package var target: FuzzTarget
    package var seed: UInt64 = 1
    package var first = 0
    package var count = 10_000
    /// Ends before `count` when that much time has passed.
    package var time: Duration?
    /// Of the thread it runs in: what a Dispatch worker on Darwin has, unless a sanitizer needs more.
    package var stackSize = 512 << 10

    package init(_ target: FuzzTarget) { self.target = target }

    /// What came of it.
    package struct Outcome: Sendable, CustomStringConvertible {
        package var target: String
        package var count = 0
        package var fault: Fault?

        package struct Fault: Sendable {
            package var number: Int
            package var input: [UInt8]
            package var reason: String
        }

        package var description: String {
            guard let fault else { return "\(target): \(count) inputs" }
            return "\(target): input \(fault.number) fails: \(fault.reason)\n  again: BridgeFuzz --target \(target) "
                + "--input \(fault.input.hexadecimal)\n  text: \(String(decoding: fault.input, as: UTF8.self).debugDescription)"
        }
    }

    /// Runs in a thread of its own.
    package func run(_ watch: InputWatch? = nil) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: runHere(watch)) }
            thread.stackSize = stackSize
            thread.start()
        }
    }

    private func runHere(_ watch: InputWatch?) -> Outcome {
        watch?.begin(target.name)
        defer { watch?.end() }
        var outcome = Outcome(target: target.name)
        let start = ContinuousClock.now
        for number in first..<(first + count) {
            if let time, number % 64 == 0, ContinuousClock.now - start > time { break }
            let input = target.input(seed: seed, number: number)
            watch?.look(at: input)
            do throws(FuzzFault) {
                try target.check(input)
                outcome.count += 1
            } catch {
                outcome.fault = Outcome.Fault(number: number, input: input, reason: error.description)
                break
            }
        }
        return outcome
    }
}

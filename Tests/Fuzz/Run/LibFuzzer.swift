import Synchronization

/// The same targets driven by libFuzzer, which looks for inputs that reach code no other reached.
///
/// Only in the build that `Tests/run --libfuzzer` makes.
enum LibFuzzer {
    #if LIBFUZZER
        private static let target = Mutex<FuzzTarget?>(nil)

        /// Runs until libFuzzer has had enough.
        /// - Parameter arguments: libFuzzer's own: options such as `-max_total_time=60`, and the folders of the corpus.
        static func run(_ chosen: FuzzTarget, _ arguments: [String]) -> Int32 {
            target.withLock { $0 = chosen }
            let texts = ["BridgeFuzz"] + arguments
            // As C has it: with nil at its end, and there for as long as the process.
            let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
            vector.initialize(repeating: nil, count: texts.count + 1)
            for (index, text) in texts.enumerated() {
                let bytes = Array(text.utf8CString)
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
                copy.initialize(from: bytes, count: bytes.count)
                vector[index] = copy
            }
            var count = Int32(texts.count)
            var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = vector
            return runDriver(&count, &start, checkInput)
        }

        fileprivate static func check(_ input: [UInt8]) {
            guard let target = target.withLock({ $0 }) else { return }
            do throws(FuzzFault) {
                try target.check(input)
            } catch {
                _ = say("\(target.name): \(error)")
                // A trap is how libFuzzer is told.
                preconditionFailure()
            }
        }
    #else
        static func run(_ chosen: FuzzTarget, _ arguments: [String]) -> Int32 {
            print("This build is without libFuzzer, which Tests/run --libfuzzer links.")
            return 69
        }
    #endif
}

#if LIBFUZZER
    private func checkInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
        LibFuzzer.check(Array(UnsafeBufferPointer(start: bytes, count: size)))
        return 0
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32
#endif

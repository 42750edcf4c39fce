/// Bytes that one actor of the loop lends to another for the time of a call.
///
/// `@unchecked Sendable` because the call protects it: `assumeIsolated` runs in place, on the loop that both actors are
/// isolated to, and nobody keeps what was lent.
struct LoopBytes: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
}

import Synchronization

/// Bits that are the same in each run.
final class SequenceOfBits: Sendable {
  private let state = Mutex<UInt64>(0)

  func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      return (state ^ (state >> 31)) &* 0xBF58_476D_1CE4_E5B9
    }
  }
}

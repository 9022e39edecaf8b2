import Synchronization

/// Generates the numbers that distinguish versions of arrays.
@usableFromInline
enum IdentifiedArrayVersion {
  private static let last = Atomic<UInt64>(0)

  @usableFromInline
  static func next() -> UInt64 {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

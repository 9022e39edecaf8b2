public import Foundation
import Synchronization

extension UUID {
  /// Makes the identifier of a number, for tests and previews.
  ///
  /// Its text ends with the number in hexadecimal digits, and begins with zeros.
  public init(counting number: UInt64) {
    self = withUnsafeBytes(of: (UInt64(0), number.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  /// Returns a function that makes the identifiers of the numbers from `first` on, for tests and
  /// previews.
  ///
  /// ```swift
  /// ViewModel(Meetings().providing(.uuid, UUID.counting()))
  /// ```
  ///
  /// It can be called on any thread. No two calls return the same identifier.
  public static func counting(from first: UInt64 = 0) -> @Sendable () -> UUID {
    let counter = Counter(first)
    return { UUID(counting: counter.next()) }
  }
}

private final class Counter: Sendable {
  private let number: Atomic<UInt64>

  init(_ first: UInt64) { number = Atomic(first) }

  func next() -> UInt64 { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}

import Synchronization

/// Encodes the first states of a page's sessions.
///
/// The first states of two sessions differ in few parts. The encoded forms of equal parts have the
/// same storage in all sessions, so an idle session needs less memory, and a page load encodes less.
package final class FirstStates: Sendable {
  /// Unchecked, because an encoder is not for concurrent use: only the caller that has set
  /// `isInUse` uses it.
  private struct Shared: @unchecked Sendable {
    let encoder = StateEncoder()
  }

  private let shared = Shared()
  /// An atomic value, because the state's own code must not run under a lock.
  private let isInUse = Atomic(false)

  package init() {}

  /// Encodes a state; the calls may overlap.
  ///
  /// Throws the error of the state's `encode(to:)`. Complexity: O(n) in the size of the state.
  func encode(_ state: some Encodable) throws -> JSONValue {
    guard !isInUse.exchange(true, ordering: .acquiring) else {
      return try JSONValue(encoding: state)
    }
    defer { isInUse.store(false, ordering: .releasing) }
    return try shared.encoder.encode(state)
  }
}

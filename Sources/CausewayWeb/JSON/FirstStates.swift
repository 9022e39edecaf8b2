import Synchronization

/// Encodes the first states of a page's sessions.
///
/// The first states of two sessions differ in few parts. The encoded forms of equal parts have the
/// same storage in all sessions, so an idle session needs less memory, and a page load encodes less.
package final class FirstStates: Sendable {
  /// The encoder while nobody uses it.
  ///
  /// Unchecked, because an encoder is not for concurrent use: the mutex passes it to one caller at a
  /// time.
  private struct Idle: @unchecked Sendable {
    let encoder: StateEncoder
  }

  private let idle = Mutex<Idle?>(Idle(encoder: StateEncoder()))

  package init() {}

  /// Encodes a state; the calls may overlap.
  ///
  /// Throws the error of the state's `encode(to:)`. Complexity: O(n) in the size of the state.
  func encode(_ state: some Encodable) throws -> JSONValue {
    guard let free = idle.withLock({ $0.take() }) else { return try JSONValue(encoding: state) }
    defer { idle.withLock { $0 = free } }
    return try free.encoder.encode(state)
  }
}

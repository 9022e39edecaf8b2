/// Shared states of one kind, for pages that show the same parts in different ways: one for each
/// key, such as a time zone.
///
/// A state lives as long as a session shows it.
@MainActor public final class SharedStates<Key: Hashable & Sendable, Value> {
  /// A shared state, and what belongs to it.
  public typealias Made = (state: SharedState, value: Value)

  private struct Entry {
    weak var state: SharedState?
    let value: Value

    var made: Made? { state.map { ($0, value) } }
  }

  private let limit: Int
  private let fallback: Key
  private let make: (Key) throws -> Made
  private var entries: [Key: Entry] = [:]
  /// The state of the newest session, while that session does not retain the state yet.
  private var newest: SharedState?

  /// Makes a collection without states.
  ///
  /// - Parameters:
  ///   - limit: The largest number of states. A limit is needed because a client can ask for any
  ///     key, and each change updates every state.
  ///   - fallback: The key of the state that further keys get beyond the limit.
  ///   - make: Makes the state of a key.
  public init(limit: Int = 64, fallback: Key, make: @escaping (Key) throws -> Made) {
    (self.limit, self.fallback, self.make) = (limit, fallback, make)
  }

  /// The additional values of the states that sessions show.
  public var values: [Value] { entries.values.compactMap { $0.made?.value } }

  /// Returns the state of a key, or the state of the fallback key beyond the limit.
  ///
  /// Complexity: amortised O(1) for a known key, otherwise O(*n*).
  public func state(for key: Key) throws -> Made {
    if let made = entries[key]?.made {
      newest = made.state
      return made
    }
    newest = nil
    entries = entries.filter { $0.value.state != nil }
    if entries.count >= limit, key != fallback { return try state(for: fallback) }
    let made = try make(key)
    entries[key] = Entry(state: made.state, value: made.value)
    newest = made.state
    return made
  }
}

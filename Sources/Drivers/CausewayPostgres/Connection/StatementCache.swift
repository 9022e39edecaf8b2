import CPostgres
import CausewayDatabase
import CausewaySystem

/// The statements that one connection has prepared, up to a limit.
struct StatementCache {
  struct Key: Hashable {
    let text: String
    let types: [Oid]

    // The server compares bytes. Swift treats different encodings of a character as equal.
    static func == (left: Key, right: Key) -> Bool {
      left.types == right.types && left.text.hasSameBytes(as: right.text)
    }
  }

  private struct Entry {
    let name: String
    var lastUse: Int
    /// The types of the values that the server has inferred; `nil` if it was not asked.
    var inferred: [Oid]?
  }

  private static let limit = 256

  private var entries: [Key: Entry] = [:]
  private var clock = 0

  /// Returns the name of a statement, whether it is new, and the name of a statement to remove.
  ///
  /// - Parameter isPermanent: Whether the statement always stays in the cache, and its insertion
  ///   removes no other statement.
  /// - Complexity: O(length of the text); O(statements) when a statement is removed.
  mutating func use(
    _ key: Key, isPermanent: Bool
  ) -> (name: String, isNew: Bool, evicted: String?) {
    clock += 1
    let time = isPermanent ? .max : clock
    if let name = entries[key]?.name {
      entries[key]?.lastUse = time
      return (name, false, nil)
    }
    var evicted: String?
    if !isPermanent, entries.count >= Self.limit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
      evicted = oldest.value.name
    }
    let name = "causeway_\(clock)"
    entries[key] = Entry(name: name, lastUse: time)
    return (name, true, evicted)
  }

  /// The types that the server has inferred for the values of a statement, if it was asked.
  subscript(inferred key: Key) -> [Oid]? {
    get { entries[key]?.inferred }
    set { entries[key]?.inferred = newValue }
  }

  mutating func remove(_ key: Key) {
    entries[key] = nil
  }
}

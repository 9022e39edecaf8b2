import CausewayDatabase
import CausewaySystem

/// Compiled statements by their text.
///
/// The least recently used statements are removed first.
struct StatementCache {
  private var entries: [String: Statement] = [:]
  private var uses = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// - Complexity: O(*n*) in the length of the text.
  mutating func statement(for text: String) -> Statement? {
    uses += 1
    // Strings that are equal in Swift may have different bytes, but SQLite compares bytes.
    guard let statement = entries[text], statement.text.hasSameBytes(as: text) else { return nil }
    statement.lastUse = uses
    return statement
  }

  /// - Complexity: O(1) on average. When the cache is full, the older half is removed at once.
  mutating func insert(_ statement: Statement) {
    if entries.count >= capacity {
      let uses = entries.values.map(\.lastUse).sorted()
      let median = uses[uses.count / 2]
      entries = entries.filter { $0.value.lastUse >= median }
    }
    statement.lastUse = uses
    entries[statement.text] = statement
  }

  mutating func removeAll() {
    entries = [:]
  }
}

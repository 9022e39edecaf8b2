/// Compiled statements by their text; the least recently used ones go first.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    var lastUse: Int
  }

  private var entries: [String: Entry] = [:]
  private var uses = 0
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// - Complexity: O(*n*) in the length of the text.
  mutating func statement(for text: String) -> Statement? {
    uses += 1
    // Equal strings of Swift need not have the same bytes, which SQLite goes by.
    guard let index = entries.index(forKey: text),
      entries.values[index].statement.text.utf8.elementsEqual(text.utf8)
    else { return nil }
    entries.values[index].lastUse = uses
    return entries.values[index].statement
  }

  /// - Complexity: O(1) on average: when full, the older half goes in one sweep.
  mutating func insert(_ statement: Statement) {
    if entries.count >= capacity {
      let uses = entries.values.map(\.lastUse).sorted()
      let median = uses[uses.count / 2]
      entries = entries.filter { $0.value.lastUse >= median }
    }
    entries[statement.text] = Entry(statement: statement, lastUse: uses)
  }

  mutating func removeAll() {
    entries = [:]
  }
}

import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// The words of the activities of a group, which the database searches.
struct ActivityIndex: ActivityTable {
  static let progress: SQL = "searched"

  let records: StoredRecords

  init(_ records: StoredRecords) { self.records = records }

  /// The words of an activity, and its place in the order of the board.
  private struct Entry {
    /// The second of the start, and 24 other bits.
    var key: Int64
    let id: String
    let start: Double
    let title: String
    let words: String
  }

  /// The number of rows that one statement writes; its text is built for them.
  private static let rowsPerStatement = 100
  /// The number of pages of the index that a transaction merges.
  ///
  /// Each change adds pages, because it writes some. The number has a limit, because other
  /// transactions wait for this one.
  ///
  /// - Parameter changes: The number of changes of the transaction.
  private static func mergedPages(_ changes: Int) -> Int { 8 + 2 * min(changes, 50) }
  /// The bits of a key that do not belong to the second of the start.
  static let keysPerSecond: Int64 = 1 << 24

  func removeAll(in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM activity_text WHERE scope = \(records.scope)")
  }

  // FTS5 erases the words of a deleted activity when it next merges its parts.
  func replace(_ changes: [ChangedActivity], in transaction: any WriteTransaction) throws {
    if changes.isEmpty { return }
    try store(changes.compactMap(entry), insteadOf: changes.map(\.id), in: transaction)
    let pages = Self.mergedPages(changes.count)
    try transaction.execute("INSERT INTO activity_merge (pages) VALUES (\(pages))")
  }

  /// The entry of an activity; `nil` if it was deleted or cannot be read.
  private func entry(_ changed: ChangedActivity) -> Entry? {
    guard let record = changed.record else { return nil }
    let activity = record.activity()
    let start = activity.details.start.timeIntervalSince1970
    // A date that can be shown has a second.
    let second = Int64(exactly: start.rounded(.down)) ?? 0
    // The low bits only have to differ.
    let low = changed.id.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return Entry(
      key: second * Self.keysPerSecond + Int64(low) % Self.keysPerSecond,
      id: changed.id, start: start,
      // PostgreSQL cannot store NUL.
      title: activity.details.title.replacing("\0", with: ""),
      words: ([SearchWords.place(records.scope)] + SearchWords.words(of: activity))
        .joined(separator: " "))
  }

  private func store(
    _ entries: [Entry], insteadOf ids: [String], in transaction: any WriteTransaction
  ) throws {
    try remove(ids, in: transaction)
    // SQLite writes a part of its index whenever a key is smaller than the one before.
    let entries = entries.sorted { $0.key < $1.key }
    var count = 0
    for start in stride(from: 0, to: entries.count, by: Self.rowsPerStatement) {
      count += try insert(entries[start...].prefix(Self.rowsPerStatement), in: transaction)
    }
    if count == entries.count { return }
    // Another activity of the same second, perhaps of another group, already has this key.
    try remove(ids, in: transaction)
    for var entry in entries {
      while try insert([entry], in: transaction) == 0 {
        // The low bits begin as a hash of the id. A client can choose ids with equal hashes, so the
        // next attempt uses random bits.
        entry.key =
          entry.key & ~(Self.keysPerSecond - 1) | .random(in: 0..<Self.keysPerSecond)
      }
    }
  }

  private func remove(_ ids: [String], in transaction: any WriteTransaction) throws {
    guard !ids.isEmpty else { return }
    try transaction.execute(
      "DELETE FROM activity_text WHERE scope = \(records.scope) AND id IN \(list: ids)")
  }

  /// Returns the number of new rows, which is smaller if a key is in use.
  private func insert(
    _ entries: some Sequence<Entry>, in transaction: any WriteTransaction
  ) throws -> Int {
    var statement: SQL = "INSERT INTO activity_text (key, scope, id, start, title, words) VALUES "
    for (index, entry) in entries.enumerated() {
      statement = """
        \(statement)\(index > 0 ? ", " as SQL : "") (\(entry.key), \(records.scope), \(entry.id), \
        \(entry.start), \(entry.title), \(entry.words))
        """
    }
    return try transaction.executeAndCount("\(statement) ON CONFLICT (key) DO NOTHING")
  }
}

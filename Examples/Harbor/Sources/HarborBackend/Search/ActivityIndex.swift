import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// The words of the activities of a group, which the database searches.
///
/// A group gets its index at its first search, and a large one after a start of the server. Once it
/// is complete, each change of an activity changes the index in the same transaction. The feed of the
/// activities stores the version of the last change that the index contains. So the next search, or
/// the next change, adds what an earlier version of Harbor on the same database has changed meanwhile.
///
/// No trigger does this: SQLite's live queries would not learn which rows a statement with a trigger
/// has changed, and would read whole boards.
struct ActivityIndex: Sendable {
  let records: StoredRecords

  init(of group: String) { self.init(Place.group(group)) }

  private init(_ place: Place) { self.init(scope: place.scope.rawValue) }

  private init(scope: String) { records = StoredRecords(scope: scope, collection: Self.collection) }

  private static let collection = "activities"

  /// The version of the activities, and that of the index.
  private struct Progress: Decodable {
    var version: Int64
    var searched: Int64?
  }

  private struct Changed: Decodable {
    var id: String
    var version: Int64
    var body: String?
  }

  /// The words of an activity, and its place in the order of the board.
  private struct Entry {
    /// The second of the start, and 24 other bits.
    var key: Int64
    let id: String
    let start: Double
    let title: String
    let words: String
  }

  /// The number of changes that are added at once.
  static let batch = 1_000
  /// The number of rows of a statement, whose text is made for them.
  private static let rowsPerStatement = 100
  /// The bits of a key that do not belong to the second of the start.
  static let keysPerSecond: Int64 = 1 << 24

  /// Whether a search finds all activities.
  func isComplete(in transaction: any ReadTransaction) throws -> Bool {
    guard let progress = try progress(in: transaction) else { return true }
    return progress.searched == progress.version
  }

  /// The indexes of large groups in which a search would have to wait for missing changes.
  static func incomplete(
    largerThan size: Int, in transaction: any ReadTransaction
  ) throws -> [ActivityIndex] {
    let scopes: SQL = """
      SELECT scope FROM feed WHERE collection = \(collection) AND records > \(size)
      AND (searched IS NULL OR searched <> version) ORDER BY records
      """
    return try transaction.rows(scopes, as: String.self).map(ActivityIndex.init(scope:))
  }

  /// Adds the last changes of a place that has an index.
  ///
  /// Call it in the transaction that changes activities. Otherwise a deleted activity would stay in the
  /// table until the next search. FTS5 erases its words when it next merges its parts.
  ///
  /// It does nothing if more changes are missing than one transaction should add, as while the index of
  /// a large group is being made. The next search adds them.
  static func follow(_ place: Place, in transaction: any WriteTransaction) throws {
    let index = ActivityIndex(place)
    guard let progress = try index.progress(in: transaction), let searched = progress.searched,
      searched < progress.version, progress.version - searched <= batch
    else { return }
    try index.add(since: progress, limit: batch, in: transaction)
  }

  /// Adds the next changes, and makes the index before that.
  func update(limit: Int = batch, in transaction: any WriteTransaction) throws {
    guard let progress = try progress(in: transaction) else { return }
    try add(since: progress, limit: limit, in: transaction)
  }

  private func progress(in transaction: any ReadTransaction) throws -> Progress? {
    try transaction.row(
      "SELECT version, searched FROM feed WHERE \(records.filter)", as: Progress.self)
  }

  private func add(
    since progress: Progress, limit: Int, in transaction: any WriteTransaction
  ) throws {
    if progress.searched == progress.version { return }
    var searched = progress.searched ?? -1
    // The versions began again, for example in a copy of an older database.
    if searched > progress.version { searched = -1 }
    if searched < 0 {
      try transaction.execute("DELETE FROM activity_text WHERE scope = \(records.scope)")
    }
    let changes = try transaction.rows(
      """
      SELECT id, version, body FROM record WHERE \(records.filter)
      AND version > \(searched) AND version <= \(progress.version) ORDER BY version LIMIT \(limit)
      """, as: Changed.self)
    try store(changes.compactMap(entry), insteadOf: changes.map(\.id), in: transaction)
    let last = changes.count < limit ? progress.version : changes.last?.version
    try transaction.execute("UPDATE feed SET searched = \(last) WHERE \(records.filter)")
  }

  /// The entry of an activity; `nil` if it was deleted or cannot be read.
  private func entry(_ changed: Changed) -> Entry? {
    guard let body = changed.body,
      let record = try? JSONDecoder().decode(ActivityRecord.self, from: Data(body.utf8))
    else { return nil }
    let activity = record.activity()
    let start = activity.details.start.timeIntervalSince1970
    // A date that can be shown has a second.
    let second = Int64(exactly: start.rounded(.down)) ?? 0
    // The low bits only have to differ.
    let low = changed.id.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return Entry(
      key: second * Self.keysPerSecond + Int64(low) % Self.keysPerSecond,
      id: changed.id, start: start,
      // PostgreSQL cannot store the character.
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
    // An activity of the same second has the key, also of another group.
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

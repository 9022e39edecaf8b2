import CausewayData
import CausewaySyncServer
import Foundation
import HarborDomain

/// A table that is made from the activities of a group, such as an index of their words.
///
/// The table of a group is made when it is first read. The table of a large group is made after a
/// start of the server. Once it is complete, each change of an activity changes the table in the
/// same transaction. The feed of the activities stores the version of the last change that the
/// table contains. So the next reading, or the next change, also adds the changes that an earlier
/// version of Harbor has made in the meantime.
///
/// No trigger does this: SQLite's live queries would not learn which rows a statement with a trigger
/// has changed, and would read whole boards.
protocol ActivityTable: Sendable {
  init(_ records: StoredRecords)

  /// The activities of the group.
  var records: StoredRecords { get }

  /// The column of the feed for the version of the last change that the table contains.
  static var progress: SQL { get }

  /// Removes all that the table has of the group.
  func removeAll(in transaction: any WriteTransaction) throws

  /// Replaces what the table has of some activities.
  func replace(_ changes: [ChangedActivity], in transaction: any WriteTransaction) throws
}

/// An activity that has changed.
struct ChangedActivity: Decodable {
  var id: String
  var version: Int64
  var body: String?

  /// The record; `nil` if it was deleted or cannot be read.
  var record: ActivityRecord? {
    body.flatMap { try? JSONDecoder().decode(ActivityRecord.self, from: Data($0.utf8)) }
  }
}

/// The tables of all kinds.
enum ActivityTables {
  /// The number of changes that are added at once.
  static let batch = 1_000

  /// Adds the last changes of a place to the tables that the place has.
  ///
  /// Call it in the transaction that changes activities. Otherwise a deleted activity would stay in
  /// the tables until the next reading.
  static func follow(_ place: Place, in transaction: any WriteTransaction) throws {
    try ActivityIndex(of: place).follow(in: transaction)
    try ActivityPeople(of: place).follow(in: transaction)
  }
}

extension ActivityTable {
  /// The table of a group.
  init(of place: Place) {
    self.init(StoredRecords(scope: place.scope.rawValue, collection: Rules.activities.name))
  }

  /// Whether the table has all activities.
  func isComplete(in transaction: any ReadTransaction) throws -> Bool {
    guard let progress = try progress(in: transaction) else { return true }
    return progress.done == progress.version
  }

  /// The tables of large groups whose next reading would have to add missing changes first.
  static func incomplete(
    largerThan size: Int, in transaction: any ReadTransaction
  ) throws -> [Self] {
    let scopes: SQL = """
      SELECT scope FROM feed WHERE collection = \(Rules.activities.name) AND records > \(size)
      AND (\(progress) IS NULL OR \(progress) <> version) ORDER BY records
      """
    return try transaction.rows(scopes, as: String.self).map {
      Self(StoredRecords(scope: $0, collection: Rules.activities.name))
    }
  }

  /// Adds the changes that the table does not have yet, if the group has the table.
  ///
  /// It does nothing if one transaction cannot add all missing changes, for example while the table
  /// of a large group is being made. The next reading adds them.
  fileprivate func follow(in transaction: any WriteTransaction) throws {
    let batch = ActivityTables.batch
    guard let progress = try progress(in: transaction), let done = progress.done,
      done < progress.version, progress.version - done <= batch
    else { return }
    try add(since: progress, limit: batch, in: transaction)
  }

  /// Adds the next changes, and makes the table before that.
  func update(
    limit: Int = ActivityTables.batch, in transaction: any WriteTransaction
  ) throws {
    guard let progress = try progress(in: transaction) else { return }
    try add(since: progress, limit: limit, in: transaction)
  }

  private func progress(in transaction: any ReadTransaction) throws -> TableProgress? {
    try transaction.row(
      "SELECT version, \(Self.progress) AS done FROM feed WHERE \(records.filter)",
      as: TableProgress.self)
  }

  private func add(
    since progress: TableProgress, limit: Int, in transaction: any WriteTransaction
  ) throws {
    if progress.done == progress.version { return }
    var done = progress.done ?? -1
    // The versions began again at a lower number, for example in a copy of an older database.
    if done > progress.version { done = -1 }
    if done < 0 { try removeAll(in: transaction) }
    let changes = try transaction.rows(
      """
      SELECT id, version, body FROM record WHERE \(records.filter)
      AND version > \(done) AND version <= \(progress.version) ORDER BY version LIMIT \(limit)
      """, as: ChangedActivity.self)
    try replace(changes, in: transaction)
    let last = changes.count < limit ? progress.version : changes.last?.version
    try transaction.execute(
      "UPDATE feed SET \(Self.progress) = \(last) WHERE \(records.filter)")
  }
}

/// The version of the activities, and the version that a table contains.
private struct TableProgress: Decodable {
  var version: Int64
  var done: Int64?
}

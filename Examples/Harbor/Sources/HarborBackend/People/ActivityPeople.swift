import CausewayData
import CausewaySyncServer
import Foundation
package import HarborDomain

/// The number of activities that each person of a group hosts or joins.
///
/// The list of people is read from this table. Its cost does not depend on the number of
/// activities.
struct ActivityPeople: ActivityTable {
  static let progress: SQL = "counted"
  /// The number of rows that one statement writes; its text is built for them.
  private static let rowsPerStatement = 100

  let records: StoredRecords

  init(_ records: StoredRecords) { self.records = records }

  static func migration(integer: SQL, exact: SQL, options: SQL) -> Migration {
    Migration(
      "count the activities of people",
      """
      CREATE TABLE activity_people (
        scope TEXT NOT NULL,
        id TEXT\(exact) NOT NULL,
        names TEXT NOT NULL,
        PRIMARY KEY (scope, id)
      )\(options)
      """,
      """
      CREATE TABLE person_count (
        scope TEXT NOT NULL,
        key TEXT\(exact) NOT NULL,
        name TEXT NOT NULL,
        activities \(integer) NOT NULL,
        PRIMARY KEY (scope, key)
      )\(options)
      """,
      "ALTER TABLE feed ADD COLUMN counted \(integer)")
  }

  func removeAll(in transaction: any WriteTransaction) throws {
    for table in ["activity_people", "person_count"] {
      try transaction.execute(
        "DELETE FROM \(identifier: table) WHERE scope = \(records.scope)")
    }
  }

  func replace(_ changes: [ChangedActivity], in transaction: any WriteTransaction) throws {
    let ids = changes.map(\.id)
    if ids.isEmpty { return }
    var counts: [String: Change] = [:]
    let known: SQL = """
      SELECT names FROM activity_people WHERE scope = \(records.scope) AND id IN \(list: ids)
      """
    for names in try transaction.rows(known, as: String.self) {
      for name in try JSONDecoder().decode([String].self, from: Data(names.utf8)) {
        counts[PersonName(stored: name).key, default: Change()].remove(name)
      }
    }
    var rows: [(id: String, names: String)] = []
    for changed in changes {
      guard let record = changed.record else { continue }
      // PostgreSQL cannot store NUL.
      let people = record.people.map { PersonName(stored: $0.text.replacing("\0", with: "")) }
      var known: Set<PersonName> = []
      let names = people.filter { known.insert($0).inserted }.map(\.text)
      rows.append((changed.id, try StoredRecords.encoded(names)))
      for name in names { counts[PersonName(stored: name).key, default: Change()].add(name) }
    }
    try transaction.execute(
      "DELETE FROM activity_people WHERE scope = \(records.scope) AND id IN \(list: ids)")
    try insert(rows, in: transaction)
    try add(counts.filter(\.value.isDifferent), in: transaction)
  }

  /// The change of a person's number of activities.
  private struct Change {
    var difference = 0
    private var last: String?
    /// The newest spelling of the name; empty to keep the stored one.
    private(set) var spelling = ""

    mutating func remove(_ name: String) {
      difference -= 1
      last = name
    }

    mutating func add(_ name: String) {
      difference += 1
      if name != last { spelling = name }
    }

    var isDifferent: Bool { difference != 0 || !spelling.isEmpty }
  }

  private static func list(_ values: [SQL]) -> SQL {
    values.dropFirst().reduce(values.first ?? "") { "\($0), \($1)" }
  }

  private func insert(
    _ rows: [(id: String, names: String)], in transaction: any WriteTransaction
  ) throws {
    for start in stride(from: 0, to: rows.count, by: Self.rowsPerStatement) {
      let values: [SQL] = rows[start...].prefix(Self.rowsPerStatement).map {
        "(\(records.scope), \($0.id), \($0.names))"
      }
      try transaction.execute(
        "INSERT INTO activity_people (scope, id, names) VALUES \(Self.list(values))")
    }
  }

  private func add(_ counts: [String: Change], in transaction: any WriteTransaction) throws {
    // All transactions change the rows in the same order, so they do not deadlock.
    let people = counts.sorted { $0.key < $1.key }
    for start in stride(from: 0, to: people.count, by: Self.rowsPerStatement) {
      let values: [SQL] = people[start...].prefix(Self.rowsPerStatement).map {
        "(\(records.scope), \($0.key), \($0.value.spelling), \($0.value.difference))"
      }
      try transaction.execute(
        """
        INSERT INTO person_count (scope, key, name, activities) VALUES \(Self.list(values))
        ON CONFLICT (scope, key) DO UPDATE SET
        activities = person_count.activities + excluded.activities,
        name = CASE WHEN excluded.name = '' THEN person_count.name ELSE excluded.name END
        """)
    }
    let fewer = people.filter { $0.value.difference < 0 }.map(\.key)
    if fewer.isEmpty { return }
    try transaction.execute(
      """
      DELETE FROM person_count
      WHERE scope = \(records.scope) AND activities <= 0 AND key IN \(list: fewer)
      """)
  }
}

extension Backend {
  /// Yields the number of activities of each person of a group, now and after each change.
  ///
  /// It does not check the access of an account. The first call for a group reads all its activities.
  ///
  /// Complexity: O(*n*) in the number of people.
  package func peopleCounts(of group: String) -> AsyncThrowingStream<[PersonName: Int], any Error> {
    let table = ActivityPeople(of: .group(group))
    let versions = table.records.versions(in: store)
    return .newest { [store] listener in
      do {
        var last: [PersonCount]?
        for try await _ in versions {
          let counts = try await table.counts(in: store)
          if counts == last { continue }
          last = counts
          // Two keys can be the same text for Swift.
          listener.yield(
            Dictionary(
              counts.map { (PersonName(stored: $0.name), $0.activities) }, uniquingKeysWith: +))
        }
      } catch {
        throw ActivityError.notRead(reason: "\(error)")
      }
    }
  }
}

/// A person with the number of activities.
private struct PersonCount: Decodable, Equatable, Sendable {
  var name: String
  var activities: Int
}

extension ActivityPeople {
  fileprivate func counts(in store: RequestStore) async throws -> [PersonCount] {
    while true {
      let counts = try await store.read { transaction -> [PersonCount]? in
        guard try isComplete(in: transaction) else { return nil }
        return try transaction.rows(
          "SELECT name, activities FROM person_count WHERE scope = \(records.scope) ORDER BY key",
          as: PersonCount.self)
      }
      if let counts { return counts }
      // A large group's table is made in parts, because changes wait for each part.
      try await store.write { try update(in: $0) }
    }
  }
}

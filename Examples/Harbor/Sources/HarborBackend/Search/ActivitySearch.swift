import CausewayData
import CausewaySyncServer
import CausewayWeb
import Foundation
package import HarborDomain

/// Finds the activities of a group by their words, in the database of the backend.
///
/// It does not check the access of an account.
package struct ActivitySearch: SearchRepositoryProtocol {
  private let store: RequestStore
  private let index: ActivityIndex

  fileprivate init(_ store: RequestStore, of group: String) {
    (self.store, index) = (store, ActivityIndex(of: .group(group)))
  }

  /// Yields the first found activities in the order of the board, now and after each change.
  ///
  /// A search reads and decodes the shown activities. It also counts the found ones. The first search
  /// of a group reads all its activities, and makes the index.
  package func results(
    of text: String, limit: Int
  ) -> AsyncThrowingStream<SearchResults, any Error> {
    guard let pattern = SearchWords.pattern(for: text, in: index.records.scope) else {
      return .once(SearchResults())
    }
    // All searches of the group share this query. The query runs after each commit. A search runs
    // only after a change of its group.
    let versions = index.records.versions(in: store)
    return .newest { listener in
      do {
        var last: Found?
        for try await _ in versions {
          let found = try await find(pattern, limit: limit)
          if found == last { continue }
          last = found
          listener.yield(found.results)
        }
      } catch {
        throw ActivityError.notRead(reason: "\(error)")
      }
    }
  }

  private struct Row: Decodable, Equatable {
    var id: String
    var body: String?
  }

  private struct Found: Equatable {
    var rows: [Row]
    var total: Int

    /// The activities that can be read.
    var results: SearchResults {
      let activities = rows.compactMap { row in
        (try? JSONDecoder().decode(ActivityRecord.self, from: Data((row.body ?? "").utf8)))
          .map { $0.activity() }
      }
      return SearchResults(rows: activities, total: total - (rows.count - activities.count))
    }
  }

  private func find(_ pattern: String, limit: Int) async throws -> Found {
    while true {
      let found = try await store.read { [index] transaction -> Found? in
        guard try index.isComplete(in: transaction) else { return nil }
        return try Self.find(pattern, limit: limit, index, in: transaction)
      }
      if let found { return found }
      // A large group's index is made in parts, because changes wait for each part.
      try await store.write { [index] in try index.update(in: $0) }
    }
  }

  private static func find(
    _ pattern: String, limit: Int, _ index: ActivityIndex, in transaction: any ReadTransaction
  ) throws -> Found {
    let total = try transaction.row(
      "SELECT count(*) FROM activity_search(\(pattern))", as: Int.self)
    // The keys have the order of the seconds. So the activities of the last second are all read, and
    // sorted with the others.
    let rows = try transaction.rows(
      """
      SELECT id, (
        SELECT body FROM record WHERE record.scope = found.scope
        AND record.collection = \(index.records.collection) AND record.id = found.id
      ) AS body
      FROM activity_text AS found WHERE key IN (
        SELECT rowid FROM activity_search(\(pattern)) WHERE rowid <= (
          SELECT max(rowid) | \(ActivityIndex.keysPerSecond - 1) FROM (
            SELECT rowid FROM activity_search(\(pattern)) ORDER BY rowid LIMIT \(limit)
          ) AS first
        )
      )
      ORDER BY start, title, id LIMIT \(limit)
      """, as: Row.self)
    return Found(rows: rows, total: total ?? 0)
  }
}

extension Backend {
  /// The search of a group for the pages in the process of the backend.
  package func search(of group: String) -> ActivitySearch { ActivitySearch(store, of: group) }

  /// Makes the search indexes and the lists of people of large groups, for example after an update
  /// of Harbor.
  ///
  /// Otherwise the first search of a group would wait for its index. The work is divided into small
  /// parts. After each part, the function waits, so changes can run.
  ///
  /// If an index cannot be made, the function still makes the others. The group gets its index at
  /// its first search.
  ///
  /// - Parameters:
  ///   - size: The number of activities up to which a search makes the index quickly.
  ///   - part: The most activities that one transaction adds.
  ///   - pause: Waits between two parts.
  /// - Throws: The first error.
  package func makeSearchIndexes(
    ofGroupsLargerThan size: Int = 1_000, part: Int = 250,
    pausing pause: (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws {
    let tables: [any ActivityTable] = try await store.read {
      try ActivityPeople.incomplete(largerThan: size, in: $0)
        + ActivityIndex.incomplete(largerThan: size, in: $0)
    }
    var failure: (any Error)?
    for table in tables {
      do {
        try await complete(table, part: part, pausing: pause)
      } catch {
        try Task.checkCancellation()
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func complete(
    _ table: some ActivityTable, part: Int, pausing pause: (Duration) async throws -> Void
  ) async throws {
    let clock = ContinuousClock()
    var pace = MakingPace(largest: part)
    while try await !store.read({ try table.isComplete(in: $0) }) {
      let limit = pace.part
      // Without the wait for other transactions, and for the disk.
      let time = try await store.write { transaction in
        try clock.measure { try table.update(limit: limit, in: transaction) }
      }
      try await pause(pace.pause(after: time))
    }
  }
}

import CausewayData
import TestSupport
import Testing

@testable import CausewaySync

/// The cost of an entry does not grow with the number of entries that wait.
@Suite(.timeLimit(.minutes(10))) struct LongQueueTests {
  /// Collects the queries of a transaction, and finds no rows.
  private final class QueryList: WriteTransaction {
    var queries: [SQL] = []

    func rows<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> [T] {
      queries.append(query)
      return []
    }

    func row<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> T? {
      queries.append(query)
      return nil
    }

    func executeAndCount(_ statement: SQL) -> Int { 0 }
    func insert<Records: Sequence>(_ records: Records, into table: String)
    where Records.Element: Encodable {}
    func upsert<Records: Sequence>(_ records: Records, into table: String, key: [String])
    where Records.Element: Encodable {}
    func delete<Record: Encodable>(_ record: Record, from table: String, key: [String]) -> Bool {
      false
    }
  }

  private struct Step: Decodable, Sendable { var detail: String }

  /// Returns how SQLite finds the rows of the queries that contain a text.
  private func plan(
    of text: String = "sync_outbox",
    _ query: @escaping @Sendable (any WriteTransaction) throws -> Void
  ) async throws -> String {
    try await makeStore().read { transaction in
      let list = QueryList()
      try query(list)
      return try list.queries.filter { $0.text.contains(text) }.map {
        try transaction.rows("EXPLAIN QUERY PLAN \($0)", as: Step.self).map(\.detail)
          .joined(separator: "\n")
      }.joined(separator: "\n")
    }
  }

  @Test func `the entries to load are found by their number, without sorting`() async throws {
    let plan = try await plan { _ = try $0.waitingEntries(of: "ana", after: 7) }
    #expect(plan == "SEARCH sync_outbox USING INTEGER PRIMARY KEY (rowid>?)")
  }

  @Test func `the next entries to send are found by their number`() async throws {
    let plan = try await plan {
      _ = try $0.waitingEntries(from: 7, of: "ana", count: 64, bytes: 1_000)
    }
    #expect(plan.contains("SEARCH sync_outbox USING INTEGER PRIMARY KEY (rowid>?)"), "\(plan)")
  }

  @Test func `the last mutation of a required record is found by the record`() async throws {
    let plan = try await plan {
      let note = MutationDependency(target: .record(collection: "note", .text("n")))
      _ = try $0.entries([note], of: "ana")
    }
    #expect(plan.contains("(account=? AND collection=? AND entity=?)"), "\(plan)")
  }

  @Test func `a read finds the acknowledged entries without the waiting ones`() async throws {
    let plan = try await plan(of: "state = 'acknowledged'") {
      let answer = ReadAnswer<Note>.changes([], deleted: [], version: SyncVersion(5))
      _ = try notes.store(
        answer, to: SyncRequest(account: "ana", scope: .all), from: ReadStart(shown: []),
        as: NoteMutation.self, in: $0)
    }
    let lines = plan.split(separator: "\n").filter { $0.contains("sync_outbox") }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(
        line == "SEARCH sync_outbox USING INDEX sync_outbox_acknowledged "
          + "(account=? AND collection=? AND scope=?)")
    }
  }
}

import CausewayDatabase
import Synchronization

/// Runs a live query after each commit, and reads only the changed rows if the query is simple.
///
/// The result is the same as the result of the whole query. The query runs as a whole if it is
/// short or not simple, or if the changed rows are unknown or too many.
final class QueryFollower<Row: Decodable & Equatable & Sendable>: Sendable {
  /// The result of the last run.
  private struct Result: Sendable {
    let query: FollowedQuery
    let rows: LiveRows<Row>
    /// The number of a commit; the rows contain this commit and all earlier commits.
    let commit: Int
  }

  private struct State {
    var result: Result?
    /// The last result of a run of the whole query.
    var decoded = DecodedRows<Row>()
  }

  /// How to follow the query with one version of the schema.
  private struct Plan {
    let schema: String?
    let query: FollowedQuery?
  }

  private let query: SQL
  private let simple: SimpleQuery?
  private let writer: Writer
  private let readers: ReaderPool
  private let state = Mutex(State())
  private let plan = Mutex<Plan?>(nil)

  init(_ query: SQL, _ writer: Writer, _ readers: ReaderPool) {
    self.query = query
    self.writer = writer
    self.readers = readers
    simple = SimpleQuery(query.text)
  }

  /// Returns the rows now; the calls do not overlap.
  func fetch() async throws -> LiveQueryFetch<Row> {
    // After an error, the next run starts without an earlier result.
    let (last, decoded) = state.withLock { state in
      defer { state = State() }
      return (state.result, state.decoded)
    }
    if let last, let fetched = try await follow(last) { return fetched }
    return try await runAll(reusing: decoded)
  }

  /// Reads the rows that were changed since the last run; returns `nil` if they are not known.
  private func follow(_ last: Result) async throws -> LiveQueryFetch<Row>? {
    let (table, log) = (last.query.table, writer.rowLog)
    let commit = log.mark(table)
    let limit = min(ChangedRows.limit, max(64, last.rows.count / 4))
    // The log is read after the snapshot was taken, so it has all commits of the snapshot.
    typealias Changes = (ids: Set<Int64>, new: [LiveRows<Row>.Replacement])
    let changes = try await writer.read(from: readers) { [query] transaction -> Changes? in
      guard let ids = log.rows(of: table, after: last.commit), ids.count <= limit,
        let new = try transaction.replacements(query, last.query, ids, as: Row.self)
      else { return nil }
      return (ids, new)
    }
    guard let changes else { return nil }
    // The snapshot may contain a commit of another program that is not in the log yet.
    if !log.excludesOthers {
      try await withBriefBlocking(writer.configuration.ownThreads) { [writer] in
        await writer.noteForeignCommits()
      }
    }
    guard log.rows(of: table, after: last.commit) != nil else { return nil }
    let (rows, isDifferent) = last.rows.replacing(changes.ids, by: changes.new)
    state.withLock { $0.result = Result(query: last.query, rows: rows, commit: commit) }
    return LiveQueryFetch(rows: rows, tables: [table], isDifferent: isDifferent)
  }

  private func runAll(reusing decoded: DecodedRows<Row>) async throws -> LiveQueryFetch<Row> {
    let commit = simple.map { writer.rowLog.mark($0.table.lowercased()) }
    let (result, rows, tables) = try await writer.read(from: readers) {
      [self] transaction -> (Result?, DecodedRows<Row>, Set<String>) in
      guard let commit, let followed = try followed(transaction) else {
        let rows = try transaction.rows(query, as: Row.self, reusing: decoded)
        return (nil, rows, transaction.tables)
      }
      let (rows, all, steps) = try transaction.rows(
        query, followed, as: Row.self, reusing: decoded)
      guard steps >= writer.configuration.shortestFollowed else {
        return (nil, all, transaction.tables)
      }
      let result = rows.map { Result(query: followed, rows: $0, commit: commit) }
      return (result, all, transaction.tables)
    }
    if let result { writer.rowLog.add(keys: result.query.keys, of: result.query.table) }
    state.withLock { $0 = State(result: result, decoded: rows) }
    return LiveQueryFetch(
      rows: result?.rows ?? LiveRows(rows.rows), tables: tables, isDifferent: nil)
  }

  private func followed(
    _ transaction: SQLiteReadTransaction
  ) throws(PersistenceError) -> FollowedQuery? {
    guard let simple else { return nil }
    let schema = try transaction.connection.text("PRAGMA schema_version")
    if let plan = plan.withLock({ $0 }), plan.schema == schema { return plan.query }
    // An error must name the query as the app has written it, so this form is compiled first.
    _ = try transaction.connection.prepare(query, refusesSettings: true)
    let followed = try transaction.connection.followed(simple)
    plan.withLock { $0 = Plan(schema: schema, query: followed) }
    return followed
  }
}

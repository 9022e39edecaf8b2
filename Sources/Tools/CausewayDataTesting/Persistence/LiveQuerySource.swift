public import CausewayDatabase
import Synchronization

/// Makes live queries whose versions a test or a preview defines.
///
/// ```swift
/// let source = LiveQuerySource([Activity(title: "Sail")])
/// let feature = ActivityList(activities: source.query())
/// source.send([])
/// ```
///
/// The queries behave like those of a persistence service: a slow consumer skips versions, equal
/// rows are not delivered twice, and a failure ends them. If you need a whole service, use a
/// service in memory.
public final class LiveQuerySource<Row: Decodable & Equatable & Sendable>: Sendable {
  private let live = LiveQueries()
  private let rows: Mutex<Result<[Row], PersistenceError>>

  /// Makes a source.
  ///
  /// - Parameter rows: The rows with which queries start.
  public init(_ rows: [Row] = []) {
    self.rows = Mutex(.success(rows))
  }

  /// Returns a live query that starts with the current rows.
  public func query() -> LiveQuery<Row> {
    live.observe("SELECT * FROM source", as: Row.self) { [self] in
      LiveQueryFetch(rows: try rows.withLock { try $0.get() }, tables: ["source"])
    }
  }

  /// Delivers a version to all queries.
  public func send(_ rows: [Row]) {
    set(.success(rows))
  }

  /// Ends all queries with an error.
  ///
  /// Later queries also fail, until the next ``send(_:)``.
  public func fail(_ error: PersistenceError) {
    set(.failure(error))
  }

  /// Ends all queries without an error, as if a service closes.
  public func finish() {
    live.close()
  }

  private func set(_ rows: Result<[Row], PersistenceError>) {
    // The old rows are released after the unlock, because a row may have a deinitializer.
    _ = self.rows.withLock { current in
      defer { current = rows }
      return current
    }
    live.invalidate(.everything)
  }
}

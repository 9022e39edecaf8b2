public import CausewayData
public import Foundation

/// The board's activities in a persistence service whose schema is ``BoardMigrations``.
///
/// Each call is one transaction. When a call returns, its change is stored.
public actor ActivityRepository: ActivityRepositoryProtocol {
  private nonisolated let store: any PersistenceService
  private nonisolated let now: @Sendable () -> Date
  private nonisolated let makeID: @Sendable () -> Activity.ID

  /// Makes a repository over a store.
  ///
  /// - Parameters:
  /// - now: returns the current date, for the dates of creation and change.
  /// - makeID: returns an id that no activity has had before.
  public init(
    store: any PersistenceService,
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> Activity.ID = { UUID().uuidString.lowercased() }
  ) {
    self.store = store
    self.now = now
    self.makeID = makeID
  }

  /// Follows the board, from any isolation.
  ///
  /// All calls share one query of the store.
  public nonisolated func activities() -> AsyncThrowingStream<[Activity], any Error> {
    let rows = store.observe(Self.list, as: BoardRow.self)
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: [Activity].self, bufferingPolicy: .bufferingNewest(1))
    let following = Task {
      do {
        for try await rows in rows { continuation.yield(rows.map(\.activity)) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: ActivityError.notRead(reason: "\(error)"))
      }
    }
    continuation.onTermination = { _ in following.cancel() }
    return stream
  }

  /// Stores a new activity with its host as the first participant.
  @discardableResult
  public func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity {
    let date = now()
    let activity = Activity(
      id: makeID(), details: details, host: host, participants: [host], created: date,
      updated: date, revision: 1)
    return try await write { transaction in
      try transaction.insert(activity)
      return activity
    }
  }

  /// Stores an edit, unless another edit was stored meanwhile.
  @discardableResult
  public func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    let date = now()
    return try await write { transaction in
      guard var activity = try transaction.activity(id) else { throw ActivityError.deleted }
      guard activity.details != details else { return activity }
      guard activity.revision == revision else {
        throw ActivityError.changedMeanwhile(current: activity)
      }
      activity.details = details
      activity.updated = date
      activity.revision += 1
      try transaction.upsert(ActivityRow(activity), into: "activity")
      return activity
    }
  }

  /// Stores that a person joins.
  public func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    let date = now()
    try await write { transaction in
      guard let activity = try transaction.activity(id) else { throw ActivityError.deleted }
      guard !activity.includes(person) else { return }
      try transaction.add([person], to: id, at: date)
    }
  }

  /// Stores that a person no longer comes.
  public func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await write { transaction in
      _ = try transaction.execute(
        "DELETE FROM participation WHERE activity_id = \(id) AND key = \(person.key)")
    }
  }

  /// Removes an activity and its participants.
  public func delete(_ id: Activity.ID) async throws(ActivityError) {
    try await write { transaction in
      try transaction.execute("DELETE FROM participation WHERE activity_id = \(id)")
      try transaction.execute("DELETE FROM activity WHERE id = \(id)")
    }
  }

  /// Fills a board at its first use, with a sample or with nothing.
  ///
  /// Returns whether it was the first use. A board whose activities were all deleted stays empty.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  @discardableResult
  public func begin(with sample: SampleBoard?) async throws(ActivityError) -> Bool {
    let date = now()
    let makeID = makeID
    return try await write { transaction in
      let begun: SQL = "SELECT value FROM preference WHERE id = 'begun'"
      guard try transaction.row(begun, as: String.self) == nil else { return false }
      for entry in sample?.entries ?? [] {
        try transaction.insert(
          Activity(
            id: makeID(), details: entry.details, host: entry.host,
            participants: [entry.host] + entry.guests, created: date, updated: date, revision: 1))
      }
      try transaction.execute("INSERT INTO preference VALUES ('begun', 'yes')")
      return true
    }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> Value
  ) async throws(ActivityError) -> Value {
    do {
      return try await store.write(body)
    } catch let error as ActivityError {
      throw error
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }

  private static let list: SQL = """
    SELECT activity.*, (
      SELECT json_group_array(name) FROM (
        SELECT name FROM participation WHERE activity_id = activity.id ORDER BY joined, rowid
      )
    ) AS participants
    FROM activity ORDER BY start, id
    """
}

public import CausewayData
public import Foundation

/// The board of a group: stored on this device, and synchronised with the server.
///
/// When a call returns, its change is stored in the device's database. The outbox sends it.
public actor ActivityRepository: ActivityRepositoryProtocol {
  private nonisolated let engine: SyncEngine<CollectionSource<ActivityMutation>>
  private nonisolated let outbox: Outbox
  private nonisolated let now: @Sendable () -> Date
  private nonisolated let makeID: @Sendable () -> Activity.ID
  /// The last edit, which the next edit waits for.
  private var lastEdit: Task<Result<Activity, ActivityError>, Never>?

  /// Makes the repository of a group.
  ///
  /// - Parameters:
  ///   - group: The id of the group.
  ///   - network: Sends requests to the server.
  ///   - outbox: Stores changes until the server has them. Its schema is ``HarborTables``.
  ///   - now: Returns the current date, for the dates of creation and change.
  ///   - makeID: Returns an id that no activity has had before.
  ///   - report: Receives the activities of the server that cannot be read. Called on any thread.
  public init(
    group: String, network: any NetworkService, outbox: Outbox,
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> Activity.ID = { UUID().uuidString.lowercased() },
    report: @escaping @Sendable (UnreadableRecord) -> Void = { _ in }
  ) {
    let place = Place.group(group)
    engine = SyncEngine(
      source: CollectionSource("activities", on: network, report: report),
      table: HarborTables.activities, scope: place.scope, outbox: outbox)
    self.outbox = outbox
    self.now = now
    self.makeID = makeID
  }

  /// Follows the server until the task is cancelled.
  public nonisolated func run() async { await engine.run() }

  /// Yields the state of the synchronisation and its changes.
  public nonisolated func statuses() -> AsyncStream<SyncStatus> { engine.statuses() }

  /// Reads from the server, unless the device has stored an answer before.
  public func prepare() async throws { _ = try await engine.rows(.cacheFirst, limit: 1) }

  /// Retries at once, for example because the user asks for it.
  public nonisolated func retryNow() { engine.retryNow() }

  /// Follows the board, from any isolation.
  ///
  /// The board is read once. After that, the cost of a change depends only on the changed records.
  public nonisolated func activities() -> AsyncThrowingStream<Activities, any Error> {
    DeviceBoard(
      outbox.persistence, of: outbox.session.current?.account, in: engine.scope
    ).activities()
  }

  /// Follows the activities that meet a condition, as in SQL's `WHERE`.
  public nonisolated func activities(
    where condition: SQL?
  ) -> AsyncThrowingStream<[Activity], any Error> {
    .rows(of: engine.observe(where: condition, orderedBy: "start, title, id")) { rows in
      rows.map { $0.record.activity(isPending: $0.isPending) }
    }
  }

  /// Stores a new activity with its host as the first participant.
  @discardableResult
  public func create(
    _ details: ActivityDetails, host: PersonName
  ) async throws(ActivityError) -> Activity {
    let date = now()
    let activity = Activity(
      id: makeID(), details: details, host: host, participants: [host], created: date,
      updated: date, revision: 1, isPending: true)
    try await engine.store(.create(ActivityRecord(activity)))
    return activity
  }

  /// Stores an edit, unless this device has received another edit meanwhile.
  ///
  /// Edits run one after the other, because the check and the change are two transactions.
  @discardableResult
  public func update(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    let last = lastEdit
    let edit = Task { () -> Result<Activity, ActivityError> in
      _ = await last?.value
      do throws(ActivityError) {
        return .success(try await store(id, to: details, basedOn: revision))
      } catch {
        return .failure(error)
      }
    }
    lastEdit = edit
    return try await edit.value.get()
  }

  private func store(
    _ id: Activity.ID, to details: ActivityDetails, basedOn revision: Int
  ) async throws(ActivityError) -> Activity {
    guard let current = try await activity(id) else { throw .deleted }
    guard current.details != details else { return current }
    guard current.revision == revision else { throw .changedMeanwhile(current: current) }
    let mutation = ActivityMutation.edit(
      id: id, from: ActivityText(current.details), to: ActivityText(details),
      at: now().timeIntervalSince1970)
    try await engine.store(mutation)
    var record: ActivityRecord? = ActivityRecord(current)
    mutation.apply(to: &record)
    return record?.activity(isPending: true) ?? current
  }

  /// Stores that a person joins.
  public func join(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await engine.store(.join(id: id, person: person.text)) { record throws(ActivityError) in
      guard let record else { throw .deleted }
      return !record.includes(person)
    }
  }

  /// Stores that a person no longer comes.
  public func leave(_ id: Activity.ID, as person: PersonName) async throws(ActivityError) {
    try await engine.store(.leave(id: id, person: person.text)) { $0?.includes(person) == true }
  }

  /// Removes an activity and its participants.
  public func delete(_ id: Activity.ID) async throws(ActivityError) {
    try await engine.store(.delete(id: id)) { $0 != nil }
  }

  /// The shown activity with this id, or `nil`.
  private func activity(_ id: Activity.ID) async throws(ActivityError) -> Activity? {
    do {
      return try await engine.rows(.cacheOnly, where: "id = \(id)").first
        .map { $0.record.activity(isPending: $0.isPending) }
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

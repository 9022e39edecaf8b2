import CausewayData

protocol TripsRepositoryProtocol: Sendable {
  func trips() -> LiveQuery<Synced<Trip>>
  func statuses() -> AsyncStream<SyncStatus>
  func plan(_ trip: Trip) async throws
  func rename(_ id: String, to title: String) async throws
  func refresh() async throws
}

actor TripsRepository: TripsRepositoryProtocol {
  static let table = SyncedTable<Trip>("trip")
  static let migrations =
    Outbox.migrations + [
      table.migration(columns: "id TEXT NOT NULL, title TEXT NOT NULL, seats INTEGER NOT NULL")
    ]

  private nonisolated let engine: SyncEngine<TripServer>

  init(network: any NetworkService, outbox: Outbox) {
    engine = SyncEngine(
      source: TripServer(network: network), table: Self.table, outbox: outbox)
  }

  /// Follows the server until the task is cancelled.
  nonisolated func run() async { await engine.run() }

  nonisolated func trips() -> LiveQuery<Synced<Trip>> { engine.observe(orderedBy: "title") }
  nonisolated func statuses() -> AsyncStream<SyncStatus> { engine.statuses() }

  func plan(_ trip: Trip) async throws { try await engine.perform(.plan(trip)) }

  func rename(_ id: String, to title: String) async throws {
    try await engine.perform(.rename(id: id, title: title))
  }

  func refresh() async throws { try await engine.refresh() }
}

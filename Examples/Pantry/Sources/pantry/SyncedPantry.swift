import CausewayData

/// The items on this device, synchronised with the server when it is reachable.
actor SyncedPantry: PantryRepository {
  static let table = SyncedTable<Item>("item")
  static let migrations =
    Outbox.migrations + [
      table.migration(
        columns: "id TEXT NOT NULL, title TEXT NOT NULL, isMissing INTEGER NOT NULL")
    ]

  private nonisolated let outbox: Outbox
  private nonisolated let engine: SyncEngine<PantryServer>

  init(store: any PersistenceService, network: any NetworkService) {
    outbox = Outbox(persistence: store, session: SessionService(account: .local))
    engine = SyncEngine(
      source: PantryServer(network: network), table: Self.table, outbox: outbox)
  }

  /// Sends changes and follows the server until the task is cancelled.
  nonisolated func synchronise() async {
    async let sending: Void = outbox.run()
    async let following: Void = engine.run()
    _ = await (sending, following)
  }

  nonisolated func items() -> LiveQuery<Synced<Item>> { engine.observe(orderedBy: "title, id") }

  func add(_ item: Item) async throws { try await engine.perform(.add(item)) }

  func mark(_ id: String, isMissing: Bool) async throws {
    try await engine.perform(.mark(id: id, isMissing: isMissing))
  }
}

public import CausewayData

/// The name of the person at this device, in the board's database.
public actor NameRepository: NameRepositoryProtocol {
  private nonisolated let store: any PersistenceService

  /// Names in that store, whose schema is ``BoardMigrations``.
  public init(store: any PersistenceService) {
    self.store = store
  }

  public func remembered() async throws(ActivityError) -> PersonName? {
    do {
      return try await store.read { transaction in
        try transaction.row("SELECT value FROM preference WHERE id = 'name'", as: String.self)
          .map(PersonName.init(stored:))
      }
    } catch {
      throw .notRead(reason: "\(error)")
    }
  }

  public func remember(_ name: PersonName) async throws(ActivityError) {
    do {
      try await store.write { transaction in
        _ = try transaction.execute(
          """
          INSERT INTO preference VALUES ('name', \(name.text))
          ON CONFLICT (id) DO UPDATE SET value = excluded.value
          """)
      }
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

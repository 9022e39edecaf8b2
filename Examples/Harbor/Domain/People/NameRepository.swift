public import CausewayData
import Synchronization

/// The name of the person at this device, in the board's database.
public actor NameRepository: NameRepositoryProtocol {
  private nonisolated let store: any PersistenceService
  private nonisolated let known = Mutex<PersonName?>(nil)

  /// Names in that store, whose schema is ``BoardMigrations``.
  public init(store: any PersistenceService) {
    self.store = store
  }

  /// The name as it was last read or kept here; a lock-protected look, from any isolation.
  public nonisolated var latest: PersonName? { known.withLock { $0 } }

  /// Reads the name.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered() async throws(ActivityError) -> PersonName? {
    do {
      let name = try await store.read { transaction in
        try transaction.row("SELECT value FROM preference WHERE id = 'name'", as: String.self)
          .map(PersonName.init(stored:))
      }
      known.withLock { $0 = name }
      return name
    } catch {
      throw .notRead(reason: "\(error)")
    }
  }

  /// Keeps a name; stored when this returns.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  public func remember(_ name: PersonName) async throws(ActivityError) {
    do {
      try await store.write { transaction in
        _ = try transaction.execute(
          """
          INSERT INTO preference VALUES ('name', \(name.text))
          ON CONFLICT (id) DO UPDATE SET value = excluded.value
          """)
      }
      known.withLock { $0 = name }
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

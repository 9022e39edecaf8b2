public import CausewayData
import Synchronization

/// The names that people gave on this board, by the browsers in which they did.
public actor NameRepository {
  private nonisolated let store: any PersistenceService
  private nonisolated let known = Mutex<[String: PersonName]>([:])

  /// Names in that store, whose schema is ``BoardMigrations``.
  public init(store: any PersistenceService) {
    self.store = store
  }

  /// The name as it was last read or kept here; a lock-protected look, from any isolation.
  public nonisolated func latest(in browser: String) -> PersonName? {
    known.withLock { $0[browser] }
  }

  /// Reads all names, so that ``latest(in:)`` knows them.
  ///
  /// Complexity: O(*n*) in the number of browsers.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func load() async throws(ActivityError) {
    do {
      let rows = try await store.read { transaction in
        try transaction.rows("SELECT browser, name FROM person", as: PersonRow.self)
      }
      known.withLock { known in
        for row in rows { known[row.browser] = PersonName(stored: row.name) }
      }
    } catch {
      throw .notRead(reason: "\(error)")
    }
  }

  /// Reads the name that was given last in a browser.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered(in browser: String) async throws(ActivityError) -> PersonName? {
    do {
      let name = try await store.read { transaction in
        try transaction.row(
          "SELECT name FROM person WHERE browser = \(browser)", as: String.self
        ).map(PersonName.init(stored:))
      }
      known.withLock { $0[browser] = name }
      return name
    } catch {
      throw .notRead(reason: "\(error)")
    }
  }

  /// Keeps a name; stored when this returns.
  ///
  /// - Throws: ``ActivityError/notStored(reason:)``.
  public func remember(_ name: PersonName, in browser: String) async throws(ActivityError) {
    do {
      try await store.write { transaction in
        try transaction.upsert(
          PersonRow(browser: browser, name: name.text), into: "person", key: ["browser"])
      }
      known.withLock { $0[browser] = name }
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

/// Who sits at a browser, as a row of the store.
private struct PersonRow: Codable, Equatable, Sendable {
  var browser: String
  var name: String
}

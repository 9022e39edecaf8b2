public import CausewayData
import Synchronization

/// The names of the board's users, by browser.
public actor NameRepository {
  private nonisolated let store: any PersistenceService
  private nonisolated let known = Mutex<[String: PersonName]>([:])

  /// Makes a repository over a store whose schema is ``BoardMigrations``.
  public init(store: any PersistenceService) {
    self.store = store
  }

  /// The name that was last read or stored here.
  ///
  /// It is read under a lock, from any isolation.
  public nonisolated func latest(in browser: String) -> PersonName? {
    known.withLock { $0[browser] }
  }

  /// Reads all names into memory for ``latest(in:)``.
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

  /// Reads the last name of a browser.
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

  /// Stores a name.
  ///
  /// It is stored when this returns.
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

/// The name of a browser's user as a row of the store.
private struct PersonRow: Codable, Equatable, Sendable {
  var browser: String
  var name: String
}

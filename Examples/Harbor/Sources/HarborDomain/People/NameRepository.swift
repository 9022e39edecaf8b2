public import CausewayData
import Synchronization

/// The names of the board's users, by browser.
public actor NameRepository {
  private nonisolated let store: any PersistenceService
  private nonisolated let known = KnownNames()

  /// Makes a repository over a store with a table of browsers, such as that of ``HarborTables``.
  public init(store: any PersistenceService) {
    self.store = store
  }

  /// The name that was last read or stored here.
  ///
  /// It is read under a lock, from any isolation.
  public nonisolated func latest(in browser: String) -> PersonName? {
    known.names.withLock { $0[browser] }
  }

  /// Reads all names into memory for ``latest(in:)``.
  ///
  /// Complexity: O(*n*) in the number of browsers.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func load() async throws(ActivityError) {
    do {
      let rows = try await store.read { transaction in
        try transaction.rows("SELECT browser, name FROM browser", as: PersonRow.self)
      }
      known.names.withLock { known in
        for row in rows { known[row.browser] = PersonName(stored: row.name) }
      }
    } catch {
      throw .notRead(reason: "\(error)")
    }
  }

  /// Removes all names when an account signs out.
  ///
  /// All names belong to one account. So a sign-in also removes all names: they are left from a
  /// process that ended during a sign-out.
  public nonisolated var participant: SessionParticipant {
    SessionParticipant("names") { [self] _ in
      try await store.write { try Self.removeAll(in: $0) }
      forgetAll()
    }
  }

  /// Stores a name in the caller's transaction.
  package static func store(
    _ name: String, in browser: String, in transaction: any WriteTransaction
  ) throws {
    try transaction.upsert(
      PersonRow(browser: browser, name: name), into: "browser", key: ["browser"])
  }

  /// Removes all names from the store; call ``forgetAll()`` after the commit.
  package static func removeAll(in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM browser")
  }

  /// Removes the name of a browser from the store; call ``forget(_:)`` after the commit.
  package static func remove(_ browser: String, in transaction: any WriteTransaction) throws {
    try transaction.execute("DELETE FROM browser WHERE browser = \(browser)")
  }

  /// Removes the name of a browser from the memory.
  package nonisolated func forget(_ browser: String) {
    known.names.withLock { $0[browser] = nil }
  }

  /// Removes all names from the memory.
  package nonisolated func forgetAll() { known.names.withLock { $0 = [:] } }

  /// Reads the name that was stored last for a browser.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered(in browser: String) async throws(ActivityError) -> PersonName? {
    do {
      let name = try await store.read { transaction in
        try transaction.row(
          "SELECT name FROM browser WHERE browser = \(browser)", as: String.self
        ).map(PersonName.init(stored:))
      }
      known.names.withLock { $0[browser] = name }
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
      try await store.write { try Self.store(name.text, in: browser, in: $0) }
      known.names.withLock { $0[browser] = name }
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

/// The names that were read or stored, by browser.
private final class KnownNames: Sendable {
  let names = Mutex<[String: PersonName]>([:])
}

/// The name of a browser's user as a row of the store.
private struct PersonRow: Codable, Equatable, Sendable { var browser, name: String }

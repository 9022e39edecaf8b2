public import CausewayData

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
    known[browser]
  }

  /// Reads all names into memory for ``latest(in:)``.
  ///
  /// Complexity: O(*n*) in the number of browsers.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func load() async throws(ActivityError) {
    do {
      let changeCount = known.changeCount
      let rows = try await store.read { transaction in
        try transaction.rows("SELECT browser, name FROM browser", as: PersonRow.self)
      }
      known.set(rows.map { ($0.browser, PersonName(stored: $0.name)) }, readAfter: changeCount)
    } catch {
      throw .notRead(reason: "\(error)")
    }
  }

  /// Removes all names when an account signs out.
  ///
  /// All names belong to one account. So a sign-in also removes all names: such names are left if a
  /// process has ended during a sign-out.
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
    known.remove(browser)
  }

  /// Removes all names from the memory.
  package nonisolated func forgetAll() { known.removeAll() }

  /// Reads the name that was stored last for a browser.
  ///
  /// - Throws: ``ActivityError/notRead(reason:)``.
  public func remembered(in browser: String) async throws(ActivityError) -> PersonName? {
    do {
      let changeCount = known.changeCount
      let name = try await store.read { transaction in
        try transaction.row(
          "SELECT name FROM browser WHERE browser = \(browser)", as: String.self
        ).map(PersonName.init(stored:))
      }
      known.set([(browser, name)], readAfter: changeCount)
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
      let order = try await store.write { [known] transaction in
        try Self.store(name.text, in: browser, in: transaction)
        // The row is locked until the commit, so the places are in the order of the commits.
        return known.nextOrder()
      }
      known.set(name, in: browser, storedAs: order)
    } catch {
      throw .notStored(reason: "\(error)")
    }
  }
}

/// The name of a browser's user as a row of the store.
private struct PersonRow: Codable, Equatable, Sendable { var browser, name: String }

import CausewayData
import CausewayExploration
import CausewaySQLite
import HarborDomain
import Testing

/// The orders in which several pages of one browser change and read its name.
@Suite(.timeLimit(.minutes(10))) struct NameRepositoryRaceTests {
  private let ada = PersonName(stored: "Ada")
  private let ben = PersonName(stored: "Ben")

  /// A store that answers some time after each change, like a store on a slow disk.
  private struct SlowStore: PersistenceService {
    private let base: InMemoryPersistenceService

    init() throws {
      base = try InMemoryPersistenceService(migrations: [
        Migration("name", "CREATE TABLE browser (browser TEXT PRIMARY KEY, name TEXT NOT NULL)")
      ])
    }

    func read<T: Sendable>(
      _ body: @escaping @Sendable (any ReadTransaction) throws -> T
    ) async throws -> T {
      let value = try await base.read(body)
      await Task.yield()
      return value
    }

    func write<T: Sendable>(
      _ body: @escaping @Sendable (any WriteTransaction) throws -> T
    ) async throws -> T {
      let value = try await base.write(body)
      await Task.yield()
      return value
    }

    func observe<T: Decodable & Equatable & Sendable>(
      _ query: SQL, as type: T.Type
    ) -> LiveQuery<T> { base.observe(query, as: type) }
    func eraseDeleted() async throws {}
    func eraseMarked() async throws {}
    func close() async throws(PersistenceError) { try await base.close() }
  }

  @Test func `the stored name is the latest one after two concurrent changes`() async throws {
    let orders = try await exploreInterleavings { [ada, ben] in
      let store = try SlowStore()
      let names = NameRepository(store: store)
      async let first: Void = names.remember(ada, in: "1")
      async let second: Void = names.remember(ben, in: "1")
      _ = try await (first, second)
      let latest = names.latest(in: "1")
      #expect(try await names.remembered(in: "1") == latest)
      try await store.close()
    }
    #expect(orders.trials > 1)
  }

  @Test func `a name that was read before it changed does not come back`() async throws {
    let orders = try await exploreInterleavings { [ada, ben] in
      let store = try SlowStore()
      let names = NameRepository(store: store)
      try await names.remember(ada, in: "1")
      async let read = names.remembered(in: "1")
      try await names.remember(ben, in: "1")
      _ = try await read
      #expect(names.latest(in: "1") == ben)
      try await store.close()
    }
    #expect(orders.trials > 1)
  }

  @Test func `a name that was removed does not come back`() async throws {
    let orders = try await exploreInterleavings { [ada] in
      let store = try SlowStore()
      let names = NameRepository(store: store)
      try await names.remember(ada, in: "1")
      async let read = names.remembered(in: "1")
      try await names.participant.wipe(.only("ana"))
      _ = try await read
      #expect(names.latest(in: "1") == nil)
      try await store.close()
    }
    #expect(orders.trials > 1)
  }

  @Test func `a name whose answer comes after its removal does not come back`() async throws {
    let orders = try await exploreInterleavings { [ada] in
      let store = try SlowStore()
      let names = NameRepository(store: store)
      async let remembering: Void = names.remember(ada, in: "1")
      try await names.participant.wipe(.only("ana"))
      try await remembering
      // A name that was stored after the removal may be unknown until it is read.
      let latest = names.latest(in: "1")
      let stored = try await names.remembered(in: "1")
      #expect(latest == nil || latest == stored)
      try await store.close()
    }
    #expect(orders.trials > 1)
  }
}

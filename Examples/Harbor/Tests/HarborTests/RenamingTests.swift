import CausewayData
import CausewaySQLite
import CausewayWebTesting
import HarborBackend
import Synchronization
import Testing

/// A new name of a person with several pages.
@MainActor @Suite struct `A new name` {
  /// A database whose live queries can show a change before its write returns.
  private final class LateStore: PersistenceService {
    private let store: InMemoryPersistenceService
    private let afterWrite = Mutex<(@Sendable () async -> Void)?>(nil)

    init() throws { store = try InMemoryPersistenceService(migrations: BackendMigrations.all) }

    func afterNextWrite(_ wait: @escaping @Sendable () async -> Void) {
      afterWrite.withLock { $0 = wait }
    }

    func read<T: Sendable>(
      _ body: @escaping @Sendable (any ReadTransaction) throws -> T
    ) async throws -> T { try await store.read(body) }

    func write<T: Sendable>(
      _ body: @escaping @Sendable (any WriteTransaction) throws -> T
    ) async throws -> T {
      let value = try await store.write(body)
      await afterWrite.withLock { $0.take() }?()
      return value
    }

    func observe<T: Decodable & Equatable & Sendable>(
      _ query: SQL, as type: T.Type
    ) -> LiveQuery<T> { store.observe(query, as: type) }
    func eraseDeleted() async throws { try await store.eraseDeleted() }
    func eraseMarked() async throws { try await store.eraseMarked() }
    func close() async throws(PersistenceError) { try await store.close() }
  }

  @Test func `begins the other pages again, also if they see it first`() async throws {
    let store = try LateStore()
    try await HostedPages.with(store, hasLocalAccount: false) { pages in
      let (desk, _) = try await pages.found("Rowers", as: "Zoe")
      let phone = try await pages.signIn(PageTestClient(pages.server), as: "Zoe")
      let _: String = try await phone.value("feed.you.name", when: { $0 == "Zoe" })
      store.afterNextWrite { _ = try? await phone.renewed() }
      try await desk.send(["setName": ["name": "Zoe Rows"]])
      let _: String = try await phone.renewed().value(
        "feed.you.name", when: { $0 == "Zoe Rows" })
      // The page that has changed the name did not begin again.
      try await desk.send(["setName": ["name": "Zoe Rows"]])
    }
  }
}

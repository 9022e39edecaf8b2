import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborDomain
import Synchronization
import TestSupport
import Testing

@testable import HarborApp
@testable import HarborBackend

/// What happens between the check of a passphrase and the end of the work that relies on it.
@MainActor @Suite struct `An account that changes during a request` {
  private static let zoe = Credentials(name: "Zoe", passphrase: "correct horse battery")

  /// A database in which another writer replaces all passphrases before the next transaction.
  private final class Raced: PersistenceService {
    let store: InMemoryPersistenceService
    private let isReplacing = Mutex(false)

    init() throws { store = try InMemoryPersistenceService(migrations: BackendMigrations.all) }

    func replaceBeforeNextWrite() { isReplacing.withLock { $0 = true } }

    func read<T: Sendable>(
      _ body: @escaping @Sendable (any ReadTransaction) throws -> T
    ) async throws -> T { try await store.read(body) }

    func write<T: Sendable>(
      _ body: @escaping @Sendable (any WriteTransaction) throws -> T
    ) async throws -> T {
      let replaces = isReplacing.withLock { state in
        defer { state = false }
        return state
      }
      if replaces { try await store.write { try $0.execute("UPDATE account SET secret = 'new'") } }
      return try await store.write(body)
    }

    func observe<T: Decodable & Equatable & Sendable>(
      _ query: SQL, as type: T.Type
    ) -> LiveQuery<T> { store.observe(query, as: type) }
    func eraseDeleted() async throws {}
    func eraseMarked() async throws {
      throw PersistenceError(.full, message: "The disk is full.")
    }
    func close() async throws(PersistenceError) { try await store.close() }
  }

  private func backend(
    _ store: any PersistenceService, report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Backend {
    Backend(
      store: store, configuration: .init(port: 0, reportError: report), now: { Date() },
      random: { .random(in: .min ... .max) }, passphraseCost: 1)
  }

  private func code(_ body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let problem as Problem {
      return problem.code
    }
  }

  @Test func `signs nobody in with a replaced passphrase, and stores no change`() async throws {
    let store = try Raced()
    let backend = backend(store)
    let zoe = try await backend.makeAccount(Self.zoe, from: "1")
    let original = try await store.read {
      try $0.row("SELECT secret FROM account", as: String.self)
    }
    let request = Request(.post, "/tokens", headers: ["Content-Type": "application/json"])
    let body = try JSONEncoder().encode(Self.zoe)
    let attempts: [() async throws -> Void] = [
      { _ = try await backend.account(of: Self.zoe, from: "1") },
      {
        let answer = await backend.server.respond(to: request) { _ in body }
        #expect(answer.status == .forbidden)
        throw Problem(.forbidden, code: "wrong-passphrase", detail: "")
      },
      {
        try await backend.changePassphrase(
          from: Self.zoe.passphrase, to: "another horse battery", of: zoe.id, in: "b", from: "1")
      },
      { try await backend.deleteAccount(zoe.id, passphrase: Self.zoe.passphrase, from: "1") },
    ]
    for attempt in attempts {
      try await store.store.write { try $0.execute("UPDATE account SET secret = \(original)") }
      store.replaceBeforeNextWrite()
      #expect(try await code(attempt) == "wrong-passphrase")
      let left = try await store.read { transaction in
        try transaction.row(
          "SELECT secret || (SELECT count(*) FROM token) FROM account", as: String.self)
      }
      #expect(left == "new0")
    }
  }

  @Test func `begins no session of a browser with a replaced passphrase`() async throws {
    try await HostedPages.with(hasLocalAccount: false) { pages in
      let id = try await pages.backend.makeAccount(Self.zoe, from: "1").id
      let known = try await pages.backend.account(of: Self.zoe, from: "1")
      let page = try await pages.open("b")
      try await pages.backend.changePassphrase(
        from: Self.zoe.passphrase, to: "another horse battery", of: id, in: "c", from: "1")
      #expect(
        try await code { try await pages.host.signIn(known, on: page) } == "wrong-passphrase")
      let count: SQL = "SELECT count(*) FROM browser_account"
      #expect(try await pages.store.read { try $0.row(count, as: Int.self) } == 0)
    }
  }

  @Test func `is deleted, and the log names remains that are not erased`() async throws {
    let problems = Log<String>()
    let backend = backend(try Raced()) { problems.append("\($0)") }
    let zoe = try await backend.makeAccount(Self.zoe, from: "1")
    try await backend.deleteAccount(zoe.id, passphrase: Self.zoe.passphrase, from: "1")
    #expect(problems.all.count == 1)
    #expect(problems.all.first?.contains("The disk is full.") == true)
  }
}

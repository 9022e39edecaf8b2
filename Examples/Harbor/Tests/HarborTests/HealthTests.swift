import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborBackend
import HarborFeatures
import Synchronization
import TestSupport
import Testing

@testable import HarborApp

/// What a host sees of a running Harbor from outside.
@Suite(.timeLimit(.minutes(10))) struct `The health of Harbor` {
  @Test(arguments: [
    [], ["serve"], ["app", "--server", "http://127.0.0.1:9"], ["--listen", "127.0.0.2"],
  ])
  func `is good at its own port, without an account`(arguments: [String]) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    guard case .run(let options) = try Command(arguments: arguments + ["--port=0"]) else { return }
    let harbor = try await HarborServer(
      options: options, directory: DataDirectory(path: directory.path))
    #expect(harbor.url.contains(options.listen))
    let answer = try await PlainRequest(address: "\(harbor.url)/health").answer()
    #expect(answer.status == 200 && answer.text == #"{"status":"ok"}"#)
    try await harbor.stop()
  }

  /// Why the disk or the file refuses writes; `nil` if it stores them.
  private final class Disk: Sendable {
    private let state = Mutex(PersistenceError.Kind?.none)
    var refusal: PersistenceError.Kind? {
      get { state.withLock(\.self) }
      set { state.withLock { $0 = newValue } }
    }
  }

  /// A database that can refuse writes.
  private struct Refusing: PersistenceService {
    let store: InMemoryPersistenceService
    let disk: Disk

    func read<T: Sendable>(
      _ body: @escaping @Sendable (any ReadTransaction) throws -> T
    ) async throws -> T { try await store.read(body) }
    func write<T: Sendable>(
      _ body: @escaping @Sendable (any WriteTransaction) throws -> T
    ) async throws -> T {
      if let kind = disk.refusal { throw PersistenceError(kind, message: "The disk refuses.") }
      return try await store.write(body)
    }
    func observe<T: Decodable & Equatable & Sendable>(
      _ query: SQL, as type: T.Type
    ) -> LiveQuery<T> { store.observe(query, as: type) }
    func eraseDeleted() async throws {}
    func eraseMarked() async throws {}
    func close() async throws(PersistenceError) { try await store.close() }
  }

  @Test(arguments: [
    PersistenceError.Kind.full, .fileReplaced, .readOnly, .inputOutput, .corrupt, .notADatabase,
    .cannotOpen,
  ])
  func `is bad, and the log says why, while the disk refuses`(
    kind: PersistenceError.Kind
  ) async throws {
    let disk = Disk()
    let store = Refusing(
      store: try InMemoryPersistenceService(migrations: BackendMigrations.all), disk: disk)
    let problems = Log<String>()
    let backend = Backend(
      store: store, configuration: .init(port: 0, reportError: { problems.append("\($0)") }))
    func health() async -> HTTPStatus {
      await backend.server.respond(to: Request(.get, "/health")).status
    }
    #expect(await health() == .ok)
    disk.refusal = kind
    let answer = await #expect(throws: Problem.self) {
      try await backend.makeLocalAccount(sample: nil)
    }
    #expect(answer?.status == .serviceUnavailable)
    #expect(problems.all.contains { $0.contains("The disk refuses.") })
    #expect(await health() == .serviceUnavailable)
    disk.refusal = nil
    #expect(await health() == .ok)
    try await backend.makeLocalAccount(sample: nil)
    #expect(await health() == .ok)
    try await store.close()
  }

  @Test func `is bad when the database cannot be read`() async throws {
    let store = try InMemoryPersistenceService(migrations: BackendMigrations.all)
    let backend = Backend(store: store, configuration: .init(port: 0))
    let request = Request(.get, "/health")
    #expect(await backend.server.respond(to: request).status == .ok)
    try await store.close()
    #expect(await backend.server.respond(to: request).status == .serviceUnavailable)
  }
}

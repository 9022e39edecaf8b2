import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborDomain
import Synchronization
import TestSupport
import Testing

@testable import HarborApp
@testable import HarborBackend

@Suite(.timeLimit(.minutes(10))) struct `The log of Harbor` {
  private static let passphrase = "correct horse battery"

  @Test func `has refused sign-ins and requests, but no secret`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    guard case .run(let options) = try Command(arguments: ["serve", "--port=0"]) else { return }
    let lines = Log<String>()
    let harbor = try await HarborServer(
      options: options, directory: DataDirectory(path: directory.path),
      log: ServerLog(level: .debug, to: { lines.append($0) }))
    let server = Server(url: try #require(URL(string: harbor.url)))
    let ana = try await server.member("Ana")
    for credentials in [
      Credentials(name: "Ana", passphrase: "a wrong passphrase"),
      // People type a passphrase into the wrong field.
      Credentials(name: Self.passphrase, passphrase: Self.passphrase),
    ] {
      let error = await #expect(throws: NetworkError.self) {
        try await server.guest.call(Endpoint(.post, "/tokens", body: credentials))
      }
      #expect(error?.status == 403)
    }
    let code = String(repeating: "c0de", count: 16)
    let unknown = PlainRequest(address: "\(server.url)/reset/\(code)?token=\(code)")
    #expect(try await unknown.answer().status == 404)
    try await harbor.stop()
    let text = lines.all.joined()
    let refusal = "info: A sign-in from 127.0.0.1 was refused: wrong-passphrase\n"
    #expect(lines.all.filter { $0.hasSuffix(refusal) }.count == 2)
    #expect(text.contains("debug: POST /tokens: 403") && text.contains("GET /reset/:code: 404"))
    for secret in [Self.passphrase, "wrong passphrase", code, ana.tokens.access] {
      #expect(!text.contains(secret))
    }
  }

  /// A database that can be out of reach.
  private struct Lost: PersistenceService {
    let store: InMemoryPersistenceService
    let isLost = Mutexed(false)

    final class Mutexed: Sendable {
      private let value: Mutex<Bool>
      init(_ value: Bool) { self.value = Mutex(value) }
      var isSet: Bool {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
      }
    }

    private func check() throws {
      if isLost.isSet { throw PersistenceError(.unavailable, message: "The network is gone.") }
    }

    func read<T: Sendable>(
      _ body: @escaping @Sendable (any ReadTransaction) throws -> T
    ) async throws -> T {
      try check()
      return try await store.read(body)
    }

    func write<T: Sendable>(
      _ body: @escaping @Sendable (any WriteTransaction) throws -> T
    ) async throws -> T {
      try check()
      return try await store.write(body)
    }

    func observe<T: Decodable & Equatable & Sendable>(
      _ query: SQL, as type: T.Type
    ) -> LiveQuery<T> { store.observe(query, as: type) }
    func eraseDeleted() async throws {}
    func eraseMarked() async throws {}
    func close() async throws(PersistenceError) { try await store.close() }
  }

  @Test func `has the requests of an hour, and nothing of an hour without one`() async throws {
    let server = WebServer(configuration: .init(port: 0, reportError: { _ in }))
    server.get("/good") { _ in .text("good") }
    server.get("/bad") { _ in throw CocoaError(.fileNoSuchFile) }
    let address = try await server.start().url
    var traffic = Traffic("pages", since: server.counters)
    var lines = [traffic.line(server.counters)]
    for path in ["/good", "/bad", "/unknown", "/good"] {
      _ = try await PlainRequest(address: address + path).answer()
    }
    // A request is counted after its answer was sent.
    while server.counters.requests < 4 { await Task.yield() }
    lines.append(traffic.line(server.counters))
    lines.append(traffic.line(server.counters))
    #expect(lines[0] == nil && lines[2] == nil)
    let line = try #require(lines[1])
    #expect(line.hasPrefix("The pages answered 4 requests in the last hour: 1 refused, 1 failed. "))
    #expect(line.hasSuffix(", 0 sessions."))
    await server.stop()
  }

  @Test func `names the loss of the database once, and its return`() async throws {
    let store = Lost(store: try InMemoryPersistenceService(migrations: BackendMigrations.all))
    let events = Log<BackendEvent>()
    let backend = Backend(
      store: store, configuration: .init(port: 0, reportError: { _ in }),
      note: { events.append($0) })
    for isLost in [false, true, true, false, false] {
      store.isLost.isSet = isLost
      let answer = await backend.server.respond(to: Request(.get, "/health"))
      #expect(answer.status == (isLost ? .serviceUnavailable : .ok))
    }
    #expect(events.all.count == 2 && events.all.last == .databaseBack)
    #expect(events.all.first?.description.contains("The network is gone.") == true)
  }
}

import CausewaySQLite
import CausewayWeb
import Foundation
import HarborBackend
import HarborFeatures
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

  @Test func `is bad when the database cannot be read`() async throws {
    let store = try InMemoryPersistenceService(migrations: BackendMigrations.all)
    let backend = Backend(store: store, configuration: .init(port: 0))
    let request = Request(.get, "/health")
    #expect(await backend.server.respond(to: request).status == .ok)
    try await store.close()
    #expect(await backend.server.respond(to: request).status == .serviceUnavailable)
  }
}

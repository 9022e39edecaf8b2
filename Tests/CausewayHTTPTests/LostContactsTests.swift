import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayHTTP

/// When an outbox learns that its server can be reached again.
@Suite(.timeLimit(.minutes(10)))
struct LostContactsTests {
  /// A server that breaks all connections until it is repaired.
  private final class BrokenServer: Sendable {
    let isRepaired = Mutex(false)

    func start() throws -> RawServer {
      try RawServer { [self] _, connection in
        guard isRepaired.withLock({ $0 }) else { return }
        connection.send(RawServer.answer(200, [:], ""))
      }
    }
  }

  @Test(arguments: TransportKind.allCases)
  func `the answer to a direct call makes the outbox send at once`(
    _ transport: TransportKind
  ) async throws {
    let broken = BrokenServer()
    let server = try broken.start()
    let network = try makeService(server, transport: transport) { $0.retry.attempts = 1 }
    let clock = ManualClock()
    let outbox = Outbox(
      persistence: try InMemoryPersistenceService(migrations: Outbox.migrations),
      session: SessionService(account: .local), environment: SyncEnvironment(clock: clock))
    outbox.register("note") { _ in
      _ = try await network.response(for: .init(.put, "/note"))
      return .final
    }
    outbox.start()
    try await outbox.enqueue(OutboxDraft(collection: "note", kind: "put", payload: .init()))
    for try await entries in outbox.observeEntries() where entries.first?.attempts == 1 { break }

    broken.isRepaired.withLock { $0 = true }
    // The clock of the outbox stands still, so no wait ends on its own.
    for try await entries in outbox.observeEntries() {
      if entries.isEmpty { break }
      _ = try await network.response(for: .init(.get, "/hello"))
    }
    #expect(server.requests.all.count { $0.target == "/note" } == 2)
  }

  @Test(arguments: TransportKind.allCases)
  func `the answer to a direct call tells the owner of a lost stream`(
    _ transport: TransportKind
  ) async throws {
    let broken = BrokenServer()
    let server = try broken.start()
    let network = try makeService(server, transport: transport)
    let told = Log<Void>()
    let events = ServerContact.$current.withValue(ServerContact { told.append(()) }) {
      NetworkConnection.$endsStream.withValue(true) { network.events(for: .init(.get, "/events")) }
    }
    #expect(await failure { for try await _ in events {} } != nil)
    broken.isRepaired.withLock { $0 = true }
    for _ in 1...2 { _ = try await network.response(for: .init(.get, "/hello")) }
    #expect(told.all.count == 1)
  }

  @Test func `a request that fails soon after an answer to others is not repeated after the next`()
  {
    let contacts = LostContacts(followsPath: false)
    let told = Log<Void>()
    let contact = ServerContact { told.append(()) }
    let failure = NetworkError(.connectionLost, message: "")
    contacts.noteAnswer(at: .zero)
    contacts.noteFailure(failure, of: contact, at: .seconds(4))
    contacts.noteAnswer(at: .seconds(4))
    #expect(told.all.isEmpty)
    // Several failures count once.
    for _ in 1...2 { contacts.noteFailure(failure, of: contact, at: .seconds(9)) }
    contacts.noteAnswer(at: .seconds(10))
    #expect(told.all.count == 1)
  }

  @Test func `a refused body is no loss`() {
    let contacts = LostContacts(followsPath: false)
    let told = Log<Void>()
    contacts.noteFailure(
      NetworkError(.tooLarge, message: ""), of: ServerContact { told.append(()) }, at: .zero)
    contacts.noteAnswer(at: .zero)
    #expect(told.all.isEmpty)
  }
}

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
      session: SessionService(account: .local), surroundings: Surroundings(clock: clock))
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
      network.events(for: .init(.get, "/events"), reconnects: false) { _ in }
    }
    #expect(await failure { for try await _ in events {} } != nil)
    broken.isRepaired.withLock { $0 = true }
    for _ in 1...2 { _ = try await network.response(for: .init(.get, "/hello")) }
    #expect(told.all.count == 1)
  }

  @Test func `a request that always fails is repeated after answers to others every five seconds`()
  {
    let contacts = LostContacts(followsPath: false)
    let told = Log<Void>()
    let contact = ServerContact { told.append(()) }
    let failure = NetworkError(.connectionLost, message: "")
    for second in 0...12 {
      // Several failures count once.
      for _ in 1...2 { contacts.noteFailure(failure, of: contact) }
      contacts.noteAnswer(nil, of: nil, at: .seconds(second))
    }
    #expect(told.all.count == 3)
  }

  @Test func `a failure soon after the owner was told counts after the pause`() {
    let contacts = LostContacts(followsPath: false)
    let told = Log<Void>()
    let contact = ServerContact { told.append(()) }
    let failure = NetworkError(.connectionLost, message: "")
    contacts.noteFailure(failure, of: contact)
    contacts.noteAnswer(nil, of: nil, at: .zero)
    // The owner was still sending, and could not use the answer.
    contacts.noteFailure(failure, of: contact)
    contacts.noteAnswer(nil, of: nil, at: .seconds(4))
    #expect(told.all.count == 1)
    contacts.noteAnswer(nil, of: nil, at: .seconds(5))
    #expect(told.all.count == 2)
  }

  @Test func `the page of another server is no answer`() {
    let contacts = LostContacts(followsPath: false)
    let told = Log<Void>()
    let contact = ServerContact { told.append(()) }
    contacts.noteAnswer(NetworkError(.contentType, message: ""), of: contact, at: .zero)
    #expect(told.all.isEmpty)
    contacts.noteAnswer(NetworkError(.status, message: "", status: 422), of: nil, at: .zero)
    #expect(told.all.count == 1)
  }

  @Test func `a refused body is no loss`() {
    let contacts = LostContacts(followsPath: false)
    let told = Log<Void>()
    contacts.noteFailure(
      NetworkError(.tooLarge, message: ""), of: ServerContact { told.append(()) })
    contacts.noteAnswer(nil, of: nil, at: .zero)
    #expect(told.all.isEmpty)
  }
}

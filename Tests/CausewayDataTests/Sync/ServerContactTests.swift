import CausewayData
import TestSupport
import Testing

@testable import CausewaySync

/// A server that cannot be reached, and records the contact of each request.
private final class LostServer: RemoteSource {
  typealias Mutation = NoteMutation

  let requests = Log<String>()
  let contacts = Log<ServerContact>()

  private func fail(_ what: String) -> RemoteFailure {
    if let contact = ServerContact.current { contacts.append(contact) }
    requests.append(what)
    return RemoteFailure(.unreachable)
  }

  func count(_ what: String) -> Int { requests.all.count { $0 == what } }

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    throw fail("snapshot")
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    throw fail("changes")
  }

  func apply(_ mutation: NoteMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    throw fail("mutation")
  }

  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    let failure = fail("hints")
    return AsyncThrowingStream { throw failure }
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ServerContactTests {
  @Test func `the contact of a request ends the waits of reads, hints and mutations`() async throws
  {
    let desk = try await Desk()
    let server = LostServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    engine.start()
    desk.outbox.start()
    try await engine.perform(.write(Note(id: "a")))
    await until { ["snapshot", "hints", "mutation"].allSatisfy(server.requests.all.contains) }
    #expect(server.contacts.all.count == server.requests.all.count)
    let contact = try #require(server.contacts.all.first)
    // The clock stands still, so no wait ends on its own.
    await until {
      contact.reach()
      return ["snapshot", "hints", "mutation"].allSatisfy { server.count($0) >= 3 }
    }
  }
}

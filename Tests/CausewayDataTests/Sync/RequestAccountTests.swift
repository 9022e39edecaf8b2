import CausewayData
import TestSupport
import Testing

@testable import CausewaySync

/// A server that records the account of each request.
private final class NotingServer: RemoteSource {
  typealias Mutation = NoteMutation

  let requests = Log<String>()

  private func note(_ what: String) {
    requests.append("\(what) for \(SessionTicket.runningAccount?.rawValue ?? "nobody")")
  }

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    note("snapshot")
    return RemoteSnapshot([], version: SyncVersion(1))
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    .changes([], deleted: [], version: version, hasMore: false)
  }

  func apply(_ mutation: NoteMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    note("mutation")
    return .final
  }

  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    AsyncThrowingStream { continuation in
      let task = Task {
        note("hints")
        continuation.yield()
        await Gate().wait()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

@Suite(.timeLimit(.minutes(10)))
struct RequestAccountTests {
  @Test func `reads, hints and mutations use the token of their own account`() async throws {
    let desk = try await Desk(account: "ada")
    let server = NotingServer()
    let engine = SyncEngine(source: server, table: notes, outbox: desk.outbox)
    engine.start()
    desk.outbox.start()
    try await engine.perform(.write(Note(id: "a")))
    let wanted = ["snapshot for ada", "hints for ada", "mutation for ada"]
    await until { wanted.allSatisfy(server.requests.all.contains) }
    #expect(server.requests.all.allSatisfy { $0.hasSuffix(" for ada") })
  }
}

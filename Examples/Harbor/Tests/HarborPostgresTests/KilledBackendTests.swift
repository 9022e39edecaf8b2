import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Synchronization
import TestSupport
import Testing

/// Three processes of `harbor serve` on one database, which are killed one after the other.
@Suite(TestStore.isAvailable, .timeLimit(.minutes(5)))
struct KilledBackendTests {
  @Test func `Each acknowledged change is applied once, in the order of its client`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let backends = try (1...3).map { _ in try BackendProcess(store: url) }
    for backend in backends { try await backend.start() }
    let servers = backends.map(\.server)
    let ana = try await servers[0].member("Ana")
    let members = servers.map { $0.member(ana) }
    let load = Load()
    let reader = Task { try await read(load, members) }
    var random = SeededRandom(seed: 7)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<Load.clients {
        group.addTask { try await write(client, load, members) }
      }
      for _ in 1...10 {
        let goal = load.count + Int.random(in: 10...60, using: &random)
        await until { load.count >= goal }
        let victim = backends[Int.random(in: 0..<3, using: &random)]
        await victim.kill()
        try await victim.start()
      }
      load.stop()
      try await group.waitForAll()
    }
    let versions = load.acknowledged
    let ids = versions.enumerated().flatMap { client, list in
      list.indices.map { "\(client)-\($0)" }
    }
    #expect(try await members[0].list().map(\.id).sorted() == ids.sorted(), "each change once")
    for list in versions { #expect(list == list.sorted(), "the order of the client") }
    #expect(versions.joined().sorted() == Array(1...Int64(ids.count)), "one version for each")
    // The reader gets an event for the last version, even if its connections were lost.
    await until { load.seen.count >= ids.count }
    #expect(load.seen.sorted() == ids.sorted(), "the feed is complete")
    reader.cancel()
    for backend in backends { await backend.kill() }
  }

  /// Sends one change after the other, and repeats each with its key until it is acknowledged.
  private func write(_ client: Int, _ load: Load, _ members: [Member]) async throws {
    var target = client
    var number = 0
    repeat {
      let activity = record("Row", id: "\(client)-\(number)")
      let change = SentChange(key: IdempotencyKey(), mutation: ActivityMutation.create(activity))
      while true {
        try Task.checkCancellation()
        target += 1
        guard let answer = try? await members[target % 3].send([change]).first else { continue }
        // A change that is applied twice is refused, because its activity exists.
        #expect(answer.refusal == nil)
        load.acknowledge(client, answer.version?.rawValue ?? 0)
        break
      }
      number += 1
    } while !load.isStopped
  }

  /// Reads the changes after each event, on any backend that answers.
  private func read(_ load: Load, _ members: [Member]) async throws {
    let path: NetworkPath = "/groups/\(members[0].group)/activities/events"
    var cursor = SyncVersion(0)
    var target = 0
    for try await event in members[0].network.events(for: NetworkRequest(.get, path)) {
      while cursor.rawValue < Int64(event.data) ?? 0 {
        try Task.checkCancellation()
        let member = members[target % 3]
        target += 1
        guard
          case .changes(let records, _, let version, _)? = try? await member.activities.changes(
            since: cursor, member.request)
        else { continue }
        load.see(records.map(\.id))
        cursor = version
      }
    }
  }
}

/// What the clients have received.
private final class Load: Sendable {
  static let clients = 6

  private struct State {
    var acknowledged = [[Int64]](repeating: [], count: Load.clients)
    var seen: [String] = []
    var isStopped = false
  }

  private let state = Mutex(State())

  /// The versions of the changes of each client, in the order of the answers.
  var acknowledged: [[Int64]] { state.withLock(\.acknowledged) }
  var count: Int { state.withLock { $0.acknowledged.joined().count } }
  /// The ids that the reader of the feed has received.
  var seen: [String] { state.withLock(\.seen) }
  var isStopped: Bool { state.withLock(\.isStopped) }

  func acknowledge(_ client: Int, _ version: Int64) {
    state.withLock { $0.acknowledged[client].append(version) }
  }

  func see(_ ids: [String]) { state.withLock { $0.seen += ids } }
  func stop() { state.withLock { $0.isStopped = true } }
}

import CausewayData
import CausewaySQLite
import CausewaySimulation
import Foundation
import Synchronization
import Testing

@Suite struct SystemValueTests {
  private struct Row: Codable {
    var number: Int64
    var blob: String
  }

  /// Keys and random numbers of two nodes, from each place that once took them from the system.
  private func values(_ seed: UInt64) throws -> [String] {
    let values = Mutex<[String]>([])
    try simulate(seeds: seed..<seed + 1, for: .seconds(1)) { world in
      for name in ["first", "second"] {
        _ = world.node(name) { node in
          let database = try await node.database("random.db", migrations: [])
          let row = try await database.read {
            try $0.row("SELECT random() AS number, hex(randomblob(8)) AS blob", as: Row.self)
          }
          let draft = OutboxDraft(collection: "text", kind: "send", payload: Data())
          // A task without a parent also belongs to the simulation.
          let key = await Task { IdempotencyKey() }.value
          // Task.detached is necessary: such a task inherits no task-local value.
          let detached = await Task.detached { IdempotencyKey() }.value
          let keys = [draft.key, key, detached].map(\.rawValue)
          values.withLock { $0 += ["\(row?.number ?? 0)", row?.blob ?? ""] + keys }
        }
      }
    }
    return values.withLock(\.self)
  }

  @Test func `keys and the random numbers of SQL depend only on the seed`() throws {
    let first = try values(1)
    #expect(Set(first).count == 10)
    #expect(try values(1) == first)
    #expect(try Set(values(2)).isDisjoint(with: first))
    #expect(first.compactMap { UUID(uuidString: $0) }.count == 6)
  }

  @Test func `a retry waits for the date of an answer, by the simulated date`() throws {
    let retries = Mutex<[Duration]>([])
    try simulate(seeds: 0..<1, for: .seconds(120)) { world in
      let server = world.node("server") { node in
        node.serve { _ in
          retries.withLock { $0.append(node.clock.now.offset) }
          // The simulation begins 20 seconds before this date.
          return NetworkResponse(
            status: 503, headers: ["retry-after": "Sun, 15 Jun 2025 15:07:00 GMT"])
        }
      }
      _ = world.node("client") { node in
        _ = try? await node.httpNetwork(to: server.id).response(for: NetworkRequest(.get, "/"))
      }
    }
    let times = retries.withLock(\.self)
    #expect(times.count > 1)
    #expect(times.dropFirst().first.map { $0 >= .seconds(19) && $0 < .seconds(30) } == true)
  }

  @Test func `no action begins after the time for the scripts`() throws {
    let times = Mutex<[Duration]>([])
    try simulate(seeds: 0..<5, for: .seconds(10), settling: .seconds(60)) { world in
      let node = world.node("user") { _ in }
      world.script(on: [node], actions: 20, pause: .seconds(1) ... .seconds(3)) { _, _ in
        times.withLock { $0.append(world.now) }
      }
    }
    let latest = try #require(times.withLock { $0.max() })
    #expect(latest > .seconds(6) && latest <= .seconds(10))
  }
}

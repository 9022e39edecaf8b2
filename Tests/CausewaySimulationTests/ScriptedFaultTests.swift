import CausewayData
import CausewaySQLite
import CausewaySimulation
import Foundation
import Synchronization
import Testing

/// Faults that a script causes, and that are not random.
@Suite struct ScriptedFaultTests {
  /// Fails the trial if the condition is false.
  ///
  /// The errors of actions do not fail it.
  private func demand(_ world: World, _ condition: Bool, _ message: String) {
    if !condition { world.fail(message) }
  }

  @Test func `a block stops the messages of one direction`() throws {
    try simulate(seeds: 0..<10, for: .seconds(120)) { world in
      let server = world.node("server") { node in
        let received = Counter()
        node.serve { _ in
          received.increase()
          return NetworkResponse(status: 200)
        }
        return received
      }
      let client = world.node("client") { node in node.network(to: server.id) }
      world.script(on: [client], actions: 1) { network, _ in
        func isAnswered() async -> Bool {
          (try? await network.response(for: NetworkRequest(.post, "/"))) != nil
        }
        demand(world, await isAnswered(), "the first request has no answer")
        world.block(from: server.id, to: client.id)
        demand(world, await !isAnswered(), "the blocked answer arrived")
        world.unblock(from: server.id, to: client.id)
        world.block(from: client.id, to: server.id)
        demand(world, await !isAnswered(), "the blocked request has an answer")
        world.unblock(from: client.id, to: server.id)
        demand(world, await isAnswered(), "the last request has no answer")
      }
      return server
    } check: { world, server in
      // The request whose answer was blocked has arrived, and the blocked request has not.
      try world.require(server.root?.value == 3, "\(server.root?.value ?? 0) requests arrived")
    }
  }

  @Test func `a script moves the wall clock, and not the clock of durations`() throws {
    try simulate(seeds: 0..<3, for: .seconds(60)) { world in
      let phone = world.node("phone") { node in node }
      world.script(on: [phone], actions: 1, pause: .zero ... .zero) { node, _ in
        let (date, instant) = (node.date, node.clock.now)
        phone.moveClock(by: .seconds(-3_600))
        try await node.clock.sleep(for: .seconds(10))
        let passed = node.date.timeIntervalSince(date)
        demand(world, abs(passed + 3_590) < 0.01, "\(passed)")
        demand(world, instant.duration(to: node.clock.now) == .seconds(10), "\(node.clock.now)")
      }
    }
  }

  @Test func `a node runs its next version on the disk of the version before`() throws {
    try simulate(seeds: 0..<10, for: .seconds(60)) { world in
      let note: SQL = "CREATE TABLE note (text TEXT NOT NULL)"
      let mark: SQL = "ALTER TABLE note ADD mark INTEGER NOT NULL DEFAULT 7"
      let first = [Migration("note", note)]
      let second = first + [Migration("mark", mark)]
      let phone = world.node("phone") { node in
        try await node.database("notes.db", migrations: first)
      }
      world.script(on: [phone], actions: 3, pause: .seconds(1) ... .seconds(5)) { database, _ in
        _ = try await database.write { try $0.execute("INSERT INTO note (text) VALUES ('a')") }
      }
      world.script(on: [phone], actions: 1, pause: .seconds(20) ... .seconds(20)) { _, _ in
        phone.install { node in try await node.database("notes.db", migrations: second) }
        phone.losePower()
        phone.restart()
      }
      return phone
    } check: { world, phone in
      let rows = try await phone.root?.read { try $0.rows("SELECT mark FROM note", as: Mark.self) }
      let marks = rows?.map(\.mark) ?? []
      try world.require(marks == [7, 7, 7], "\(marks)")
    }
  }

  private struct Mark: Codable { var mark: Int }

  @Test func `the timeline shows contents of messages and losses of power failures`() throws {
    // The seed decides the losses of a power failure.
    let timelines = (UInt64(0)..<20).compactMap { seed in
      #expect(throws: SimulationFailure.self) {
        try simulate(seeds: seed..<seed + 1, for: .seconds(20), shrinks: 0) { world in
          let server = world.node("server") { node in
            node.serve { _ in NetworkResponse(status: 201, body: Array("thanks".utf8)) }
          }
          let phone = world.node("phone") { node in
            (network: node.network(to: server.id), files: node.files, path: node.path("draft"))
          }
          world.script(on: [phone], actions: 1) { root, _ in
            let body = NetworkRequest.Body.bytes(Array("hello".utf8), type: "text/plain")
            _ = try await root.network.response(for: NetworkRequest(.post, "/", body: body))
            let file = try root.files.create(root.path)
            try root.files.synchronizeDirectory(root.files.directory(of: root.path))
            try root.files.write(Array("not synchronised".utf8), to: file)
            phone.losePower()
          }
        } check: { world, _ in
          world.fail("shown")
        }
      }?.timeline
    }
    for timeline in timelines {
      #expect(timeline.contains("sends POST / (1): hello"), "\(timeline)")
      #expect(timeline.contains("has the answer to POST / (1): 201 thanks"), "\(timeline)")
    }
    #expect(timelines.contains { $0.contains("draft has 0 of 16 bytes") }, "\(timelines)")
  }

  @Test func `a node uploads a file of its disk, and stores a download there`() throws {
    try simulate(seeds: 0..<20, for: .seconds(60)) { world in
      let server = world.node("server") { node in
        let stored = node.stored("stored") { Log() }
        node.serve { request in
          if case .bytes(let bytes, _) = request.body { stored.set(bytes) }
          return NetworkResponse(status: 200, body: stored.bytes)
        }
      }
      let phone = world.node("phone") { node in (node: node, network: node.network(to: server.id)) }
      world.faults = [.powerLoss(of: [phone.id], every: .seconds(20), down: .zero ... .seconds(1))]
      let picture = [UInt8](repeating: 7, count: 5_000)
      world.script(on: [phone], actions: 5) { root, _ in
        let (source, target) = (root.node.path("picture"), root.node.path("copy"))
        try root.node.write(picture, to: "picture")
        let upload = NetworkRequest(.put, "/", body: .file(source, type: "image/png"))
        _ = try await root.network.response(for: upload)
        let response = try await root.network.download(NetworkRequest(.get, "/"), to: target)
        demand(world, response.body.isEmpty, "the body is in memory too")
      }
      return (phone, picture)
    } check: { world, parts in
      let copy = parts.0.root?.node.diskContents["copy"]
      try world.require(copy == nil || copy == parts.1, "\(copy?.count ?? 0) bytes of a download")
      let missing = NetworkRequest(.put, "/", body: .file("/none", type: "image/png"))
      let network = parts.0.root?.network
      do {
        _ = try await network?.response(for: missing)
        world.fail("a missing file was sent")
      } catch let error as NetworkError {
        try world.require(error.kind == .file, "\(error)")
      }
    }
  }

  private final class Log: Sendable {
    private let contents = Mutex<[UInt8]>([])
    var bytes: [UInt8] { contents.withLock(\.self) }
    func set(_ bytes: [UInt8]) { contents.withLock { $0 = bytes } }
  }
}

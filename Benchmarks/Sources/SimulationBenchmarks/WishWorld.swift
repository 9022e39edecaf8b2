import CausewayData
import CausewaySQLite
import CausewaySimulation

/// Three clients of the article's server, each with 200 actions, crashes and power failures.
func simulateWishes(_ seeds: Range<UInt64>) throws -> SimulationSummary {
  try simulate(seeds: seeds, for: .seconds(1_200), settling: .seconds(120)) { world in
    let server = world.node("server") { try await WishServer($0) }
    let clients = (1...3).map { number in
      world.node("client \(number)") { try await WishClient($0, server: server.id) }
    }
    let all = [server.id] + clients.map(\.id)
    world.faults = [
      .loss(0.05), .duplicates(0.02),
      .crashes(of: all, every: .seconds(60), down: .zero ... .seconds(10)),
      .powerLoss(of: all, every: .seconds(60), down: .zero ... .seconds(10)),
    ]
    world.script(on: clients, actions: 200, pause: .zero ... .seconds(6)) { client, random in
      let wish = Wish(id: "\(Int.random(in: 1...5, using: &random))", text: "\(random.next())")
      try await client.engine.perform(WishMutation(wish: wish))
    }
    return (server, clients)
  } check: { world, nodes in
    let stored = try await nodes.0.root?.list.wishes
    for client in nodes.1 {
      let shown = try await client.root?.all
      try world.require(shown == stored, "\(client.name) shows \(shown ?? [])")
    }
  }
}

/// A database on one node, which writes rows until its process crashes.
func simulateCrashes(_ seeds: Range<UInt64>) throws -> SimulationSummary {
  try simulate(seeds: seeds, for: .seconds(2), settling: .zero) { world in
    let node = world.node("writer") { node in
      let database = try await Rows.open { try await node.database("rows.db", migrations: $0) }
      _ = Task { while true { try await Rows.add(to: database) } }
      return database
    }
    world.faults = [.powerLoss(of: [node.id], every: .milliseconds(10), down: .zero ... .zero)]
    return node
  } check: { _, node in
    try await node.root?.checkIntegrity()
  }
}

/// The table of both writers: the simulated writer, and the process that is killed.
enum Rows {
  static func open(
    _ open: ([Migration]) async throws -> SQLiteService
  ) async throws -> SQLiteService {
    try await open([Migration("rows", "CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT)")])
  }

  static func add(to database: SQLiteService) async throws {
    try await database.write {
      try $0.execute("INSERT INTO entry (text) VALUES (\(String(repeating: "x", count: 500)))")
    }
  }
}

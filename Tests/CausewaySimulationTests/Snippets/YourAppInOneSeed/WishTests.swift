import CausewayData
import CausewaySimulation
import Testing

@Suite struct WishTests {
  // snippet
  @Test func `three clients agree with the server, whatever happens`() throws {
    try simulate(seeds: 0..<5, for: .seconds(300)) { world in
      let server = world.node("server") { try await WishServer($0) }
      let clients = (1...3).map { number in
        world.node("client \(number)") { try await WishClient($0, server: server.id) }
      }
      let all = [server.id] + clients.map(\.id)
      world.faults = [
        .loss(0.1), .duplicates(0.05),
        .partitions(every: .seconds(60), lasting: .seconds(5) ... .seconds(60)),
        .crashes(of: all, every: .seconds(60), down: .zero ... .seconds(10)),
        .powerLoss(of: all, every: .seconds(60), down: .zero ... .seconds(10)),
        .disk(.full, of: all, every: .seconds(60), lasting: .zero ... .seconds(30)),
      ]
      world.script(
        on: clients, actions: 10, pause: .zero ... .seconds(30), expectsErrors: true
      ) { client, random in
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
  // end
}

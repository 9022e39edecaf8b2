import CausewayData
import CausewaySimulation
import CausewayWeb
import CausewayWebSimulation
import Testing

/// A number, as JSON.
private struct Amount: Codable, Sendable {
  var number: Int
}

@Suite struct WebServerTests {
  @Test func `the routes of a web server answer on a node, with their checks and event streams`()
    throws
  {
    try simulate(seeds: 0..<20, for: .seconds(120), settling: .seconds(60)) { world in
      let server = world.node("server") { node in
        let total = node.stored("total") { Counter() }
        let server = WebServer()
        server.post("/add/:name", body: Amount.self, bodyLimit: 100) { request, amount in
          for _ in 0..<amount.number { total.increase() }
          return Amount(number: amount.number)
        }
        server.get("/totals") { _ in
          .events(
            AsyncStream { continuation in
              let task = Task {
                while true {
                  try await node.clock.sleep(for: .seconds(5))
                  continuation.yield(ServerSentEvent(data: "\(total.value)"))
                }
              }
              continuation.onTermination = { _ in task.cancel() }
            })
        }
        node.serve(server)
        return total
      }
      let seen = Cell()
      let client = world.node("client") { node in
        let network = node.network(to: server.id)
        _ = Task {
          for try await event in network.events(for: NetworkRequest(.get, "/totals")) {
            seen.set(Int(event.data) ?? -1)
          }
        }
        return network
      }
      world.faults = [
        .crashes(of: [server.id], every: .seconds(40), down: .zero ... .seconds(5)),
        .loss(0.02),
      ]
      world.script(on: [client], actions: 10, expectsErrors: true) { network, _ in
        let request = NetworkRequest(
          .post, "/add/two", query: [NetworkRequest.QueryItem("factor", "3 ")],
          body: .bytes(Array(#"{"number": 2}"#.utf8), type: "application/json"))
        _ = try await network.response(for: request)
      }
      return (server, client, seen)
    } check: { world, parts in
      guard let total = parts.0.root?.value, let network = parts.1.root else { return }
      try world.require(total % 2 == 0 && total > 0, "a total of \(total)")
      try world.require(parts.2.get() == total, "saw \(parts.2.get()) of \(total)")
      let status = await #expect(throws: NetworkError.self) {
        _ = try await network.response(
          for: NetworkRequest(.post, "/add/two", body: .bytes([1, 2], type: "text/plain")))
      }
      try world.require(status?.status == 415, "\(status?.status ?? 0)")
      let missing = await #expect(throws: NetworkError.self) {
        _ = try await network.response(for: NetworkRequest(.get, "/none"))
      }
      try world.require(missing?.status == 404, "\(missing?.status ?? 0)")
    }
  }
}

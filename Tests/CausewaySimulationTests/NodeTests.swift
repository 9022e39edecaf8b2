import CausewayData
import CausewaySimulation
import Foundation
import Testing

/// A register that keeps its value on the disk of its node, and answers requests.
private struct Register: Sendable {
  let log: Counter
  let memory = Counter()

  func serve(_ node: NodeContext) {
    node.serve { request in
      try await node.clock.sleep(for: .milliseconds(3))
      if request.method == .post {
        log.increase()
        memory.increase()
      }
      return NetworkResponse(status: 200, body: Array("\(log.value) \(memory.value)".utf8))
    }
  }
}

@Suite struct NodeTests {
  @Test func `requests reach the server, and answers reach the client`() throws {
    try simulate(seeds: 0..<20, for: .seconds(100)) { world in
      let server = world.node("server") { node in
        let register = Register(log: node.stored("log") { Counter() })
        register.serve(node)
        return register
      }
      let clients = (1...3).map { number in
        world.node("client \(number)") { node in node.network(to: server.id) }
      }
      world.script(on: clients, actions: 10) { network, _ in
        _ = try await network.response(for: NetworkRequest(.post, "/add"))
      }
      return (server, clients)
    } check: { world, nodes in
      try world.require(nodes.0.root?.log.value == 30, "\(nodes.0.root?.log.value ?? 0)")
      let answer = try await nodes.1[0].root?.response(for: NetworkRequest(.get, "/"))
      let text = answer.map { String(decoding: $0.body, as: UTF8.self) }
      try world.require(text == "30 30", text ?? "no answer")
    }
  }

  @Test func `a crash loses the values in memory and keeps the stored values`() throws {
    let summary = try simulate(seeds: 0..<20, for: .seconds(120)) { world in
      let server = world.node("server") { node in
        let register = Register(log: node.stored("log") { Counter() })
        register.serve(node)
        return register
      }
      let client = world.node("client") { node in
        (network: node.network(to: server.id), succeeded: node.stored("succeeded") { Counter() })
      }
      world.faults = [
        .crashes(of: [server.id], every: .seconds(10), down: .zero ... .seconds(5)), .loss(0.05),
      ]
      world.script(on: [client], actions: 20, expectsErrors: true) { root, _ in
        _ = try await root.network.response(for: NetworkRequest(.post, "/add"))
        root.succeeded.increase()
      }
      return (server, client)
    } check: { world, nodes in
      guard let register = nodes.0.root, let client = nodes.1.root else {
        throw CancellationError()
      }
      let (acknowledged, applied) = (client.succeeded.value, register.log.value)
      try world.require(acknowledged <= applied, "\(acknowledged) of \(applied)")
      try world.require(register.memory.value <= applied, "the memory survived")
    }
    #expect(summary.crashes > 40)
    // Some scripts do not reach their last action in time.
    #expect((300...400).contains(summary.actions))
    #expect(summary.failedActions > 0 && summary.failedActions < summary.actions)
    #expect(summary.skippedActions == 0)
  }

  @Test func `a request repeated without a key after a lost answer is applied twice`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<100, for: .seconds(600)) { world in
        let server = world.node("server") { node in
          let register = Register(log: node.stored("log") { Counter() })
          register.serve(node)
          return register
        }
        let client = world.node("client") { node in node.network(to: server.id) }
        world.faults = [.latency(.milliseconds(1) ... .milliseconds(40)), .loss(0.02)]
        world.script(on: [client], actions: 20) { network, _ in
          while true {
            do {
              _ = try await network.response(for: NetworkRequest(.post, "/add"))
              return
            } catch is NetworkError {}
          }
        }
        return server
      } check: { world, server in
        let count = server.root?.log.value ?? 0
        try world.require(count <= 20, "\(count) of 20")
      }
    }
    #expect(failure?.isDeterministic == true)
    #expect(failure?.timeline.contains("the answer to POST /add") == true)
  }

  @Test func `no message passes a partition, and all pass after it`() throws {
    try simulate(seeds: 0..<30, for: .seconds(300)) { world in
      let server = world.node("server") { node in node.serve { _ in NetworkResponse(status: 200) } }
      let client = world.node("client") { node in
        (network: node.network(to: server.id), failed: Counter())
      }
      world.faults = [.partitions(every: .seconds(20), lasting: .seconds(40) ... .seconds(90))]
      world.script(on: [client], actions: 30, pause: .seconds(5) ... .seconds(5)) { root, _ in
        do {
          _ = try await root.network.response(for: NetworkRequest(.get, "/"))
        } catch {
          root.failed.increase()
        }
      }
      return client
    } check: { world, client in
      try world.require((client.root?.failed.value ?? 0) > 0, "no request failed")
      _ = try await client.root?.network.response(for: NetworkRequest(.get, "/"))
    }
  }

  @Test func `the date of a node can be wrong, but its clock is right`() throws {
    try simulate(seeds: 0..<10, for: .seconds(60)) { world in
      let nodes = (1...4).map { world.node("node \($0)") { node in node } }
      world.faults = [.clockSkew(.seconds(30))]
      return nodes
    } check: { world, nodes in
      let dates = nodes.compactMap { $0.root?.date.timeIntervalSince1970 }
      try world.require(Set(dates).count == 4, "\(dates)")
      try world.require((dates.max() ?? 0) - (dates.min() ?? 0) <= 60, "\(dates)")
      try world.require(Set(nodes.compactMap { $0.root?.clock.now }).count == 1, "clocks differ")
    }
  }

  @Test func `a node that cannot start fails the trial with its name`() {
    struct NoDisk: Error {}
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { world in
        _ = world.node("server") { _ in throw NoDisk() }
      }
    }
    #expect(failure?.reason == "the node \"server\" could not start: NoDisk()")
  }
}

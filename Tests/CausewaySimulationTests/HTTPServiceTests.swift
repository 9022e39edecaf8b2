import CausewayData
import CausewayHTTP
import CausewaySimulation
import Foundation
import Synchronization
import Testing

@Suite struct HTTPServiceTests {
  private static let picture = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }

  // snippet
  @Test func `a picture arrives whole, in pieces and after crashes of the server`() throws {
    let summary = try simulate(seeds: 0..<20, for: .seconds(120)) { world in
      let server = world.node("server") { node in
        node.serve { _ in NetworkResponse(status: 200, body: Self.picture) }
      }
      let client = world.node("client") { node in node.httpNetwork(to: server.id) }
      world.faults = [
        .slowBytes(0.8, pieces: 2...10, pause: .milliseconds(10) ... .seconds(2)),
        .crashes(of: [server.id], every: .seconds(5), down: .zero ... .seconds(2)),
      ]
      world.script(on: [client], actions: 10, expectsErrors: true) { network, _ in
        let picture = try await network.response(for: NetworkRequest(.get, "/picture"))
        try world.require(picture.body == Self.picture, "\(picture.body.count) bytes")
      }
      return client
    }
    #expect(summary.crashes > 100)
  }
  // end

  @Test func `a body breaks off when the server crashes between two pieces`() throws {
    let breaks = Counter()
    try simulate(seeds: 0..<10, for: .seconds(60), repeats: 0) { world in
      let server = world.node("server") { node in
        node.serve { _ in NetworkResponse(status: 200, body: Self.picture) }
      }
      let client = world.node("client") { node in
        var configuration = HTTPNetworkService.Configuration(address: Self.address)
        configuration.retry.attempts = 1
        return node.httpNetwork(to: server.id, configuration)
      }
      world.faults = [.slowBytes(1, pieces: 10...10, pause: .seconds(1) ... .seconds(1))]
      world.script(on: [client], actions: 1, pause: .seconds(1) ... .seconds(1)) { network, _ in
        let counts = Mutex<[Int]>([])
        do {
          _ = try await network.response(for: NetworkRequest(.get, "/picture")) { progress in
            if case .received(let count, _) = progress { counts.withLock { $0.append(count) } }
          }
          world.fail("the body is complete")
        } catch let error as NetworkError where error.kind == .connectionLost {
          let counts = counts.withLock(\.self)
          try world.require(counts.count > 1 && counts == counts.sorted(), "\(counts)")
          breaks.increase()
        }
      }
      world.script(on: [server], actions: 1, pause: .seconds(5) ... .seconds(5)) { _, _ in
        server.crash()
      }
    }
    #expect(breaks.value == 10)
  }

  /// The simulation ignores the host.
  private static let address = URL(string: "http://server") ?? URL(filePath: "/")

  @Test func `a token is refreshed once, and an event stream continues with the new one`() throws {
    try simulate(seeds: 0..<20, for: .seconds(60)) { world in
      let server = world.node("server") { node in
        let refreshes = node.stored("refreshes") { Counter() }
        node.serve(answering: { request in
          if request.path.encoded == "/refresh" {
            refreshes.increase()
            return .response(NetworkResponse(status: 200))
          }
          guard request.headers["authorization"] == "Bearer new" else {
            return .response(NetworkResponse(status: 401))
          }
          let (events, continuation) = AsyncThrowingStream.makeStream(of: NetworkEvent.self)
          for number in 1...3 {
            continuation.yield(NetworkEvent(id: "\(number)", data: "line \(number)\nand another"))
          }
          return .events(events)
        })
        return refreshes
      }
      let received = ActionLog()
      _ = world.node("client") { node in
        let login = node.httpNetwork(to: server.id)
        let auth = AuthSessionService(store: node.tokenStore("token")) { _ in
          _ = try await login.response(for: NetworkRequest(.post, "/refresh"))
          return AuthToken(access: "new")
        }
        try await auth.signIn(AuthToken(access: "old"), as: "ada")
        let network = node.httpNetwork(to: server.id, session: auth)
        _ = Task {
          for try await event in network.events(for: NetworkRequest(.get, "/events")) {
            received.append("\(event.id): \(event.data)")
          }
        }
      }
      world.faults = [
        .slowBytes(0.5, pieces: 2...5, pause: .milliseconds(1) ... .milliseconds(100))
      ]
      return (server, received)
    } check: { world, parts in
      let expected = (1...3).map { "\($0): line \($0)\nand another" }
      try world.require(parts.1.all == expected, "\(parts.1.all)")
      try world.require(parts.0.root?.value == 1, "\(parts.0.root?.value ?? 0) refreshes")
    }
  }
}

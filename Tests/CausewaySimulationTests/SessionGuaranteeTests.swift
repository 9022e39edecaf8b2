import CausewayData
import CausewaySimulation
import Synchronization
import Testing

@Suite struct SessionGuaranteeTests {
  /// Two replicas that copy each other's value, and a client of both.
  ///
  /// - Parameter isPinned: Whether the client always uses the same replica.
  private func replicas(_ seeds: Range<UInt64>, isPinned: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(60), settling: .seconds(60), shrinks: 0) { world in
      let history = SessionHistory<String, String, Int>()
      let replicas = (0...1).map { number in
        world.node("replica \(number)") { node in
          let copy = Replica()
          node.serve { request in
            if case .bytes(let bytes, _) = request.body { copy.merge(Int(bytes.first ?? 0)) }
            return NetworkResponse(status: 200, body: [UInt8(copy.version)])
          }
          return copy
        }
      }
      for (from, to) in [(0, 1), (1, 0)] {
        _ = world.node("copier \(from)") { node in
          let (source, target) = (
            node.network(to: replicas[from].id), node.network(to: replicas[to].id)
          )
          _ = Task {
            while true {
              try await node.clock.sleep(for: .seconds(2))
              let body = try await source.response(for: NetworkRequest(.get, "/")).body
              _ = try await target.response(
                for: NetworkRequest(.post, "/", body: .bytes(body, type: "application/x")))
            }
          }
        }
      }
      let client = world.node("client") { node in replicas.map { node.network(to: $0.id) } }
      let last = Counter()
      world.script(on: [client], actions: 20, pause: .seconds(1) ... .seconds(2)) {
        networks, random in
        let network = networks[isPinned ? 0 : Int.random(in: 0...1, using: &random)]
        if Bool.random(using: &random) {
          last.increase()
          let version = last.value
          _ = try await network.response(
            for: NetworkRequest(.post, "/", body: .bytes([UInt8(version)], type: "application/x")))
          history.wrote("client", "value", version: version)
        } else {
          let body = try await network.response(for: NetworkRequest(.get, "/")).body
          history.read("client", "value", version: Int(body.first ?? 0))
        }
      }
      return (client, history)
    } check: { world, parts in
      for network in parts.0.root ?? [] {
        let body = try await network.response(for: NetworkRequest(.get, "/")).body
        parts.1.read("client", "value", version: Int(body.first ?? 0))
      }
      try world.require(parts.1.violation == nil, parts.1.violation?.description ?? "")
      try world.require(parts.1.hasConverged, "the replicas differ")
    }
  }

  @Test func `a client of one replica keeps its guarantees, a client of two does not`() throws {
    try replicas(0..<20, isPinned: true)
    let failure = #expect(throws: SimulationFailure.self) { try replicas(0..<100, isPinned: false) }
    #expect(failure?.reason.contains("client read") == true)
  }

  @Test func `each broken guarantee is named`() {
    let writes = SessionHistory<Int, String, Int>()
    writes.wrote(1, "a", version: 5)
    writes.wrote(1, "a", version: 4)
    #expect(writes.violation?.guarantee == .monotonicWrites)
    let following = SessionHistory<Int, String, Int>()
    following.read(1, "a", version: 5)
    following.wrote(1, "a", version: 3)
    #expect(following.violation?.guarantee == .writesFollowReads)
    let own = SessionHistory<Int, String, Int>()
    own.wrote(1, "a", version: 5)
    own.read(2, "a", version: 3)
    #expect(own.violation == nil)
    own.read(1, "a", version: 4)
    #expect(own.violation?.description == "read your writes: 1 read 4 after it wrote 5 of a")
    let reads = SessionHistory<Int, String, Int>()
    reads.read(1, "a", version: 4)
    reads.read(1, "b", version: 1)
    #expect(reads.violation == nil && reads.hasConverged)
    reads.read(2, "a", version: 3)
    #expect(!reads.hasConverged)
    reads.read(1, "a", version: 3)
    #expect(reads.violation?.guarantee == .monotonicReads)
  }
}

/// The newest version that a replica has received.
private final class Replica: Sendable {
  private let contents = Mutex(0)
  var version: Int { contents.withLock { $0 } }
  func merge(_ version: Int) { contents.withLock { $0 = max($0, version) } }
}

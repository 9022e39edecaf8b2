import CausewayData
import CausewaySimulation
import Synchronization
import Testing

/// The events that a client has received, in order.
private final class Received: Sendable {
  private let contents = Mutex<[Int]>([])
  var numbers: [Int] { contents.withLock { $0 } }
  func append(_ number: Int) { contents.withLock { $0.append(number) } }
}

/// The program of the server.
private final class Streams: Sendable {
  /// The number of streams that are open now.
  let open = Mutex(0)
}

@Suite struct EventStreamTests {
  /// A client that follows the numbers of a server; a stream resumes after the last number.
  private func ticker(
    seeds: Range<UInt64>, resumes: Bool = true,
    faults: @escaping @Sendable (NodeID) -> [SimulationFault]
  ) throws {
    try simulate(seeds: seeds, for: .seconds(300), settling: .seconds(120)) { world in
      let server = world.node("server") { node in
        let streams = Streams()
        node.serve(answering: { request in
          let last = resumes ? request.headers["last-event-id"].flatMap { Int($0) } : nil
          streams.open.withLock { $0 += 1 }
          let (stream, continuation) = AsyncThrowingStream.makeStream(of: NetworkEvent.self)
          let task = Task {
            defer { streams.open.withLock { $0 -= 1 } }
            var number = last ?? 0
            while number < 100 {
              try await node.clock.sleep(for: .seconds(1))
              number += 1
              continuation.yield(NetworkEvent(id: "\(number)", data: "\(number)"))
            }
            // The stream stays open after its last event.
            try await node.clock.sleep(for: .seconds(86_400))
          }
          continuation.onTermination = { _ in task.cancel() }
          return .events(stream)
        })
        return streams
      }
      let received = Received()
      _ = world.node("client") { node in
        let network = node.network(to: server.id)
        _ = Task {
          for try await event in network.events(for: NetworkRequest(.get, "/numbers")) {
            received.append(Int(event.data) ?? -1)
          }
        }
      }
      world.faults = faults(server.id)
      return (server, received)
    } check: { world, parts in
      try world.require(
        parts.1.numbers == Array(1...100), "received \(parts.1.numbers)")
      let open = parts.0.root?.open.withLock { $0 } ?? 0
      try world.require(open == 1, "\(open) streams are open")
    }
  }

  @Test func `an event stream resumes after lost connections, partitions and crashes`() throws {
    try ticker(seeds: 0..<20) { server in
      [
        .loss(0.02), .latency(.milliseconds(1) ... .seconds(2)),
        .partitions(every: .seconds(60), lasting: .seconds(5) ... .seconds(40)),
        .crashes(of: [server], every: .seconds(60), down: .zero ... .seconds(10)),
      ]
    }
  }

  @Test func `a server that ignores the last event's id is found`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try ticker(seeds: 0..<100, resumes: false) { _ in [.loss(0.02)] }
    }
    #expect(failure?.isDeterministic == true)
    #expect(failure?.reason.hasPrefix("received [1, 2") == true)
  }

  @Test func `a refused stream throws, and a released stream ends at the server`() throws {
    try simulate(seeds: 0..<20, for: .seconds(60)) { world in
      let ended = Counter()
      let server = world.node("server") { node in
        node.serve { _ in
          NetworkResponse(status: 404)
        } events: { request in
          guard request.path.encoded == "/numbers" else { return nil }
          let (stream, continuation) = AsyncThrowingStream.makeStream(of: NetworkEvent.self)
          continuation.onTermination = { _ in ended.increase() }
          continuation.yield(NetworkEvent(data: "1"))
          return stream
        }
      }
      _ = world.node("client") { node in
        let network = node.network(to: server.id)
        await #expect(throws: NetworkError.self) {
          for try await _ in network.events(for: NetworkRequest(.get, "/none")) {}
        }
        for try await event in network.events(for: NetworkRequest(.get, "/numbers")) {
          try world.require(event.data == "1", event.data)
          break
        }
        try await node.clock.sleep(for: .seconds(1))
        try world.require(ended.value == 1, "the server's stream did not end")
      }
    }
  }
}

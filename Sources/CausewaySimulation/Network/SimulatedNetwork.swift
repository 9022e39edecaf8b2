import CausewayData

/// Carries messages between nodes, with the faults of the trial.
struct SimulatedNetwork {
  /// A direction in which no message passes.
  private struct Direction: Hashable {
    let from: Int
    let to: Int
  }

  private var random: SimulationRandom
  var latency: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(10)
  var loss = 0.0
  var duplicates = 0.0
  /// The probability, the number of pieces, and the pause before each piece of a slow body.
  var slowBytes: (probability: Double, pieces: ClosedRange<Int>, pause: ClosedRange<Duration>)?
  /// The directions that partitions block, with the number of partitions.
  private var blocked: [Direction: Int] = [:]
  /// The requests without an answer, by the index of the server's node.
  private var open: [Int: [ObjectIdentifier: SimulatedExchange]] = [:]

  private var connections: [Int: [ObjectIdentifier: SimulatedConnection]] = [:]

  init(random: SimulationRandom) {
    self.random = random
  }

  mutating func block(_ from: NodeID, _ to: NodeID) {
    blocked[Direction(from: from.index, to: to.index), default: 0] += 1
  }

  mutating func unblock(_ from: NodeID, _ to: NodeID) {
    let direction = Direction(from: from.index, to: to.index)
    guard let count = blocked[direction] else { return }
    blocked[direction] = count > 1 ? count - 1 : nil
  }

  /// Ends all faults.
  mutating func heal() {
    blocked = [:]
    loss = 0
    duplicates = 0
    slowBytes = nil
  }

  /// Returns the time that a message takes; `nil` if it is lost.
  mutating func delay(from: NodeID, to: NodeID) -> Duration? {
    let delay = random.duration(in: latency)
    let isLost = random.happens(loss)
    return isLost || blocked[Direction(from: from.index, to: to.index)] != nil ? nil : delay
  }

  /// Returns whether no message passes from one node to another now.
  func isBlocked(from: NodeID, to: NodeID) -> Bool {
    blocked[Direction(from: from.index, to: to.index)] != nil
  }

  /// Splits the bytes of a body at random places; each piece has the pause before it.
  mutating func pieces(of bytes: [UInt8]) -> [(pause: Duration, bytes: ArraySlice<UInt8>)] {
    guard let slowBytes, bytes.count > 1, random.happens(slowBytes.probability) else {
      return [(.zero, bytes[...])]
    }
    let count = Int.random(in: slowBytes.pieces, using: &random)
    let cuts = (1..<max(1, count)).map { _ in Int.random(in: 1..<bytes.count, using: &random) }
    var start = 0
    return Set(cuts + [bytes.count]).sorted().map { end in
      defer { start = end }
      return (random.duration(in: slowBytes.pause), bytes[start..<end])
    }
  }

  /// Returns the time until a node notices that another node is silent.
  mutating func silence(in range: ClosedRange<Duration>) -> Duration { random.duration(in: range) }

  /// Returns whether a request arrives a second time.
  mutating func isDuplicated() -> Bool { random.happens(duplicates) }

  mutating func opened(_ exchange: SimulatedExchange) {
    open[exchange.server.index, default: [:]][ObjectIdentifier(exchange)] = exchange
  }

  mutating func closed(_ exchange: SimulatedExchange) {
    open[exchange.server.index]?[ObjectIdentifier(exchange)] = nil
  }

  mutating func opened(_ connection: SimulatedConnection) {
    connections[connection.server.index, default: [:]][ObjectIdentifier(connection)] = connection
  }

  mutating func closed(_ connection: SimulatedConnection) {
    connections[connection.server.index]?[ObjectIdentifier(connection)] = nil
  }

  /// Returns the times after which the two nodes notice that a connection is broken.
  mutating func silences(
    in range: ClosedRange<Duration>
  ) -> (client: Duration, server: Duration) {
    (random.duration(in: range), random.duration(in: range))
  }

  /// Removes and returns the open event streams of a crashed node, in the order of their requests.
  mutating func takeConnections(of node: NodeID) -> [SimulatedConnection] {
    (connections.removeValue(forKey: node.index) ?? [:]).values.sorted { $0.number < $1.number }
  }

  /// Removes and returns the open requests to a crashed node, in the order of their calls.
  mutating func takeExchanges(of node: NodeID) -> [SimulatedExchange] {
    (open.removeValue(forKey: node.index) ?? [:]).values.sorted { $0.number < $1.number }
  }
}

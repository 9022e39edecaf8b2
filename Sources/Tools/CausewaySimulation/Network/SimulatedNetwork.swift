import CausewayExploration

/// A request or an event stream that a server works on.
protocol OpenMessage: AnyObject {
  var server: NodeID { get }
  /// The number of the request in its trial.
  var number: Int { get }
  /// Whether the server has begun the answer.
  var isAnswered: Bool { get }

  /// Tells the client that the server has crashed.
  func serverHasCrashed()
}

/// Carries messages between nodes, with the faults of the trial.
struct SimulatedNetwork {
  /// A direction in which messages pass.
  private struct Direction: Hashable {
    let from: Int
    let to: Int
  }

  private let identity: SimulationCase
  /// The random numbers of each direction.
  ///
  /// A message that is left out must not change what happens to other messages. Otherwise, a failure
  /// could rarely be shortened.
  private var random: [Direction: InstantRandom] = [:]
  var latency: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(10)
  var loss = 0.0
  var duplicates = 0.0
  /// The probability, the number of pieces, and the pause before each piece of a slow body.
  var slowBytes: (probability: Double, pieces: ClosedRange<Int>, pause: ClosedRange<Duration>)?
  /// The directions that partitions block, with the number of partitions.
  private var blocked: [Direction: Int] = [:]
  /// The requests without an answer and the event streams, by the index of the server's node.
  private var open: [Int: [ObjectIdentifier: any OpenMessage]] = [:]
  private var requestCount = 0

  init(_ identity: SimulationCase) {
    self.identity = identity
  }

  private mutating func draw<T>(
    from: NodeID, to: NodeID, _ draw: (inout SimulationRandom) -> T
  ) -> T {
    let direction = Direction(from: from.index, to: to.index)
    let first = InstantRandom(
      identity, purpose: 1, UInt64(bitPattern: Int64(from.index)),
      UInt64(bitPattern: Int64(to.index)))
    return random[direction, default: first].draw(at: Scheduler.ofThread?.now ?? .zero, draw)
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

  /// Releases all open requests and event streams, at the end of a trial.
  mutating func drop() {
    open = [:]
  }

  /// Returns the time that a message takes; `nil` if it is lost.
  ///
  /// The code of a node that has crashed during the current step sends nothing.
  mutating func delay(from: NodeID, to: NodeID) -> Duration? {
    if Scheduler.ofThread?.isCurrentAlive == false { return nil }
    let (latency, loss) = (latency, loss)
    let (delay, isLost) = draw(from: from, to: to) {
      ($0.duration(in: latency), $0.happens(loss))
    }
    return isLost || blocked[Direction(from: from.index, to: to.index)] != nil ? nil : delay
  }

  /// Returns whether the messages from one node to another are blocked now.
  func isBlocked(from: NodeID, to: NodeID) -> Bool {
    blocked[Direction(from: from.index, to: to.index)] != nil
  }

  /// Splits the bytes of a body at random places; each piece has the pause before it.
  mutating func pieces(
    of bytes: [UInt8], from: NodeID, to: NodeID
  ) -> [(pause: Duration, bytes: ArraySlice<UInt8>)] {
    guard let slowBytes, bytes.count > 1 else { return [(.zero, bytes[...])] }
    return draw(from: from, to: to) { random in
      guard random.happens(slowBytes.probability) else { return [(.zero, bytes[...])] }
      let count = Int.random(in: slowBytes.pieces, using: &random)
      let cuts = (1..<max(1, count)).map { _ in Int.random(in: 1..<bytes.count, using: &random) }
      var start = 0
      return Set(cuts + [bytes.count]).sorted().map { end in
        defer { start = end }
        return (random.duration(in: slowBytes.pause), bytes[start..<end])
      }
    }
  }

  /// Returns the time until a node notices that another node is silent.
  mutating func silence(
    of silent: NodeID, noticedBy node: NodeID, in range: ClosedRange<Duration>
  ) -> Duration {
    draw(from: silent, to: node) { $0.duration(in: range) }
  }

  /// Returns whether a request arrives a second time.
  mutating func isDuplicated(from: NodeID, to: NodeID) -> Bool {
    let duplicates = duplicates
    return draw(from: from, to: to) { $0.happens(duplicates) }
  }

  /// Returns the number of a new request.
  mutating func nextNumber() -> Int {
    requestCount += 1
    return requestCount
  }

  mutating func opened(_ message: any OpenMessage) {
    open[message.server.index, default: [:]][ObjectIdentifier(message)] = message
  }

  mutating func closed(_ message: any OpenMessage) {
    open[message.server.index]?[ObjectIdentifier(message)] = nil
  }

  /// Removes and returns the open requests to a crashed node in the order of their calls, and then
  /// its event streams.
  mutating func takeMessages(to node: NodeID) -> [any OpenMessage] {
    (open.removeValue(forKey: node.index) ?? [:]).values
      .sorted { ($0.isAnswered ? 1 : 0, $0.number) < ($1.isAnswered ? 1 : 0, $1.number) }
  }
}

import CausewayBasics
import CausewayExploration
import CausewayNetwork
import Synchronization

/// The connection of an event stream between two nodes.
///
/// Events arrive in order. The network repeats lost packets of a connection, so a fault does not
/// lose a single event: it breaks the connection. Both nodes notice this after a while.
final class SimulatedConnection: OpenMessage, Sendable {
  enum Arrival: Sendable {
    case event(NetworkEvent)
    /// The server has sent a comment, because there was no event for a while.
    case beat
    /// The connection is closed. The error is `nil` if the server ended it.
    case end(NetworkError?)
  }

  private struct State {
    var arrivals: [Arrival] = []
    var waiter: Waiter<Void>?
    var lastArrival = Duration.zero
    var isBroken = false
    var isClosed = false
    var sending: Task<Void, Never>?
  }

  let client: NodeID
  let server: NodeID
  /// The number of the connection's request, which orders the connections of a crashed node.
  let number: Int
  private let life: Scheduler.Life
  private let state = Mutex(State())
  /// How long a node takes to notice that the other node is silent.
  private static let silence = Duration.seconds(1) ... .seconds(18)
  private static let heartbeat = Duration.seconds(8)

  init(client: NodeID, server: NodeID, number: Int, life: Scheduler.Life) {
    self.client = client
    self.server = server
    self.number = number
    self.life = life
  }

  // MARK: - The server

  /// Sends all events, as the server, until the connection is closed.
  func send(_ events: any AsyncSequence<NetworkEvent, any Error> & Sendable) {
    let sending = Task { @concurrent [self] in
      do {
        for try await event in events { transmit(.event(event)) }
        transmit(.end(nil))
      } catch {
        // A handler's error closes the connection, as the end of the sequence does.
        if !Task.isCancelled { transmit(.end(nil)) }
      }
      Trial.use { $0.network.closed(self) }
    }
    let isClosed = state.withLock { state in
      state.sending = sending
      return state.isClosed
    }
    if isClosed { sending.cancel() }
    beat()
  }

  private func transmit(_ arrival: Arrival) {
    guard !state.withLock({ $0.isBroken || $0.isClosed }) else { return }
    Trial.use { transmit(arrival, in: $0) }
  }

  private func transmit(_ arrival: Arrival, in trial: Trial) {
    guard trial.scheduler.isAlive(life), let delay = trial.network.delay(from: server, to: client)
    else { return breakDown(in: trial) }
    post(arrival, after: delay, in: trial)
  }

  /// Sends comments, which detect a broken connection while there are no events.
  private func beat() {
    let trial = Trial.ofThread
    trial.scheduler.post(.world, after: Self.heartbeat) { [weak self] in
      guard let self, !state.withLock({ $0.isBroken || $0.isClosed }) else { return }
      transmit(.beat)
      beat()
    }
  }

  var isAnswered: Bool { true }

  func serverHasCrashed() { breakDown(in: Trial.ofThread) }

  /// Ends the connection; both nodes notice it later.
  func breakDown(in trial: Trial) {
    let isFirst = state.withLock { state in
      defer { state.isBroken = true }
      return !state.isBroken && !state.isClosed
    }
    guard isFirst else { return }
    trial.log("the event stream \(number) breaks", server)
    let clientNotices = trial.network.silence(of: server, noticedBy: client, in: Self.silence)
    let serverNotices = trial.network.silence(of: client, noticedBy: server, in: Self.silence)
    let error = NetworkError(.connectionLost, message: "the connection was lost")
    post(.end(error), after: clientNotices, in: trial)
    trial.scheduler.post(.world, after: serverNotices) { [self] in
      state.withLock { $0.sending }?.cancel()
    }
  }

  private func post(_ arrival: Arrival, after delay: Duration, in trial: Trial) {
    let due = state.withLock { state in
      state.lastArrival = max(state.lastArrival + .nanoseconds(1), trial.scheduler.now + delay)
      return state.lastArrival
    }
    trial.scheduler.post(life, after: due - trial.scheduler.now) { [self] in deliver(arrival) }
  }

  // MARK: - The client

  private func deliver(_ arrival: Arrival) {
    if case .event(let event) = arrival {
      Scheduler.ofThread?.note(event.id + event.data, of: "an event")
    }
    let waiter = state.withLock { state in
      state.arrivals.append(arrival)
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Waits for the next event; returns the end of the connection when the task is cancelled.
  func next() async -> Arrival {
    let waiter = Waiter<Void>()
    let mustWait = state.withLock { state in
      if state.arrivals.isEmpty { state.waiter = waiter }
      return state.arrivals.isEmpty
    }
    if mustWait { await waiter.value { $0.resume() } }
    return state.withLock { state in
      state.waiter = nil
      return state.arrivals.isEmpty ? .end(nil) : state.arrivals.removeFirst()
    }
  }

  /// Closes the connection, as the client; the server notices it after the network's delay.
  func close() {
    let sending = state.withLock { state in
      state.isClosed = true
      return state.sending
    }
    guard let sending, Trial.current != nil else { return }
    Trial.use { trial in
      let delay = trial.network.delay(from: client, to: server) ?? Self.silence.upperBound
      trial.scheduler.post(.world, after: delay) { sending.cancel() }
    }
  }

  deinit {
    state.withLock { $0.sending }?.cancel()
  }
}

import CausewayExploration
import CausewayNetwork
import CausewaySystem
import Synchronization

/// The events of one stream, across its connections.
///
/// It connects again after a lost connection, and sends the id of the last event.
private final class SimulatedSubscription: Sendable {
  private struct State {
    var connection: SimulatedConnection?
    var lastID = ""
    /// The number of connections in a row without an event.
    var failures = 0
    var isFinished = false
    var reported: NetworkConnection?
  }

  private let service: SimulatedNetworkService
  private let request: NetworkRequest
  private let observer: NetworkConnection.Observer
  private let state = Mutex(State())
  private let reconnects: Bool
  private static let policy = NetworkRetryPolicy(
    attempts: .max, firstDelay: .seconds(1), longestDelay: .seconds(15),
    longestRetryAfter: .seconds(300))

  init(
    _ service: SimulatedNetworkService, _ request: NetworkRequest, reconnects: Bool,
    _ observer: @escaping NetworkConnection.Observer
  ) {
    self.service = service
    self.request = request
    self.reconnects = reconnects
    self.observer = observer
  }

  deinit {
    // The consumer has released the stream.
    end()
  }

  private func report(_ new: NetworkConnection) {
    let isNew = state.withLock { state in
      defer { state.reported = new }
      return state.reported != new
    }
    if isNew { observer(new) }
  }

  private func end() {
    let (connection, wasOpen) = state.withLock { state in
      state.isFinished = true
      return (state.connection.take(), state.reported != nil)
    }
    connection?.close()
    if wasOpen { report(.closed) }
  }

  /// Returns the next event; `nil` at the end and when the task is cancelled.
  func next() async throws -> NetworkEvent? {
    do {
      while true {
        guard !state.withLock(\.isFinished), !Task.isCancelled else {
          end()
          return nil
        }
        guard let connection = state.withLock(\.connection) else {
          try await connect()
          continue
        }
        switch await connection.next() {
        case .event(let event):
          state.withLock { state in
            state.failures = 0
            if !event.id.isEmpty { state.lastID = event.id }
          }
          return event
        case .beat: continue
        case .end:
          if Task.isCancelled { continue }
          state.withLock { $0.connection = nil }
          connection.close()
          try await pause()
        }
      }
    } catch {
      end()
      if error is CancellationError { return nil }
      throw error
    }
  }

  private func connect() async throws {
    report(.connecting)
    var request = request
    request.headers["accept"] = "text/event-stream"
    let lastID = state.withLock(\.lastID)
    if !lastID.isEmpty { request.headers["last-event-id"] = lastID }
    do {
      switch try await service.reply(to: request) {
      case .connection(let connection):
        state.withLock { $0.connection = connection }
        report(.open)
      case .response(let response, _) where response.status == 204:
        // With this status, the server ends the stream permanently.
        end()
      case .response(let response, _):
        throw NetworkError(
          .contentType, message: "the server answered without an event stream",
          method: request.method, url: request.path.encoded, status: response.status)
      }
    } catch let error as NetworkError where NetworkRetryPolicy.isTransient(error) {
      try await pause()
    }
  }

  private func pause() async throws {
    if !reconnects {
      throw NetworkError(
        .connectionLost, message: "the event stream was lost", method: request.method,
        url: request.path.encoded)
    }
    let failures = state.withLock { state in
      state.failures += 1
      return state.failures
    }
    let random = Trial.use { trial in
      trial.nodes[service.client.index].values.randomFraction(at: trial.scheduler.now)
    }
    let delay = Self.policy.delay(afterAttempts: failures, requested: nil, random: random)
    report(.waiting(delay))
    try await SimulationClock().sleep(for: delay)
  }
}

extension SimulatedNetworkService {
  /// Returns the events of a stream that a node serves with ``NodeContext/serve(_:events:)``, and
  /// reports the state of its connection.
  ///
  /// If it reconnects, the stream waits after a lost connection for 0.5 to 1 second. The wait doubles with each
  /// connection in a row without an event, up to 7.5 to 15 seconds. The stream then connects again
  /// and sends the id of the last event in the field `last-event-id`. A response with status 204 ends
  /// the stream.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - reconnects: Whether the stream connects again after a lost connection. Otherwise it throws.
  ///   - connection: Receives each state, in order.
  /// - Returns: A stream that throws `NetworkError` when the server refuses it permanently.
  public func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    let subscription = SimulatedSubscription(self, request, reconnects: reconnects, connection)
    return NetworkEventStream { try await subscription.next() }
  }
}

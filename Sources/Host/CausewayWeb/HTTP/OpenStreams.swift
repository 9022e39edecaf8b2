import Synchronization

/// The streams of a host that another server sends.
final class OpenStreams: Sendable {
  private struct State {
    var isStopped = false
    var bodies: [ObjectIdentifier: StreamBody] = [:]
  }

  private let state = Mutex(State())

  /// Allows streams again.
  func begin() { state.withLock { $0.isStopped = false } }

  /// Adds a stream; ends it at once if the host was told to stop.
  func add(_ body: StreamBody) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.bodies[ObjectIdentifier(body)] = body }
      return state.isStopped
    }
    if isStopped { body.disconnect() }
  }

  func remove(_ body: StreamBody) {
    state.withLock { _ = $0.bodies.removeValue(forKey: ObjectIdentifier(body)) }
  }

  /// Ends all streams.
  ///
  /// Streams that are opened later end at once.
  ///
  /// A page reconnects when its stream has ended, and the other server would wait for the end of
  /// the new stream too.
  func stop() {
    let open = state.withLock { state in
      defer { state = State(isStopped: true) }
      return state.bodies.values
    }
    for body in open { body.disconnect() }
  }
}

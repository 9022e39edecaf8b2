import Synchronization

/// A view state with its number within the session.
struct PublishedState: Sendable {
  var value: JSONValue
  var version: UInt64
}

/// Sends a session's view state: in full once, then as merge patches.
///
/// At most one event waits. While the reader has not taken it, newer states replace each other,
/// and the next patch goes from what was last handed over to the newest.
final class ViewStateStream: StreamSource {
  private struct State {
    var newest: PublishedState
    /// What the page shows once it has read `ready`; nil when it has nothing to patch.
    var handedOver: PublishedState?
    /// Sent at once, so that the page knows that it is connected.
    var ready = Array(": connected\n\n".utf8)
    var body: StreamBody?
    var observation: Task<Void, Never>?
    var isClosed = false
  }

  private let state: Mutex<State>
  private let observe: @Sendable (ViewStateStream) async -> Void
  private let onClose: @Sendable (ViewStateStream) -> Void

  /// A stream that goes on after the state with the given number, when that is still the newest.
  init(
    newest: PublishedState, lastEventID: UInt64?,
    observe: @escaping @Sendable (ViewStateStream) async -> Void,
    onClose: @escaping @Sendable (ViewStateStream) -> Void
  ) {
    state = Mutex(State(newest: newest, handedOver: lastEventID == newest.version ? newest : nil))
    self.observe = observe
    self.onClose = onClose
  }

  /// The newest state that was published here.
  var newest: PublishedState { state.withLock { $0.newest } }

  /// Takes a new view state; one that equals the last costs a comparison and sends nothing.
  ///
  /// Runs off the main actor. Complexity: O(n) in the size of the state.
  func publish(_ value: JSONValue) {
    let body: StreamBody? = state.withLock { state in
      if state.newest.value != value {
        state.newest = PublishedState(value: value, version: state.newest.version + 1)
      }
      // Building the patch here keeps that work off the polling thread while the reader is quick.
      if state.ready.isEmpty { Self.prepare(&state) }
      return state.body
    }
    body?.wake()
  }

  func opened(by body: StreamBody) {
    state.withLock { $0.body = body }
    let task = Task { await observe(self) }
    let isClosed = state.withLock {
      $0.observation = task
      return $0.isClosed
    }
    if isClosed { task.cancel() }
  }

  func step() -> StreamStep {
    state.withLock { state in
      if state.ready.isEmpty { Self.prepare(&state) }
      guard !state.ready.isEmpty else { return .wait }
      let bytes = state.ready
      state.ready = []
      return .bytes(bytes)
    }
  }

  func closed() {
    let observation = state.withLock { state in
      state.isClosed = true
      state.body = nil
      return state.observation.take()
    }
    observation?.cancel()
    onClose(self)
  }

  /// Ends the stream from the server's side.
  func end() {
    state.withLock { $0.body }?.end()
  }

  private static func prepare(_ state: inout State) {
    let newest = state.newest
    guard let handedOver = state.handedOver else {
      state.ready = ServerSentEvent.bytes(
        name: "state", id: newest.version, line: newest.value.serialized())
      state.handedOver = newest
      return
    }
    guard handedOver.version != newest.version else { return }
    state.handedOver = newest
    // The state may have changed back before it was read.
    guard let patch = MergePatch.difference(from: handedOver.value, to: newest.value) else {
      return
    }
    state.ready = ServerSentEvent.bytes(
      name: "patch", id: newest.version, line: patch.serialized())
  }
}

import Synchronization

/// A view state with its number within the session.
struct PublishedState: Sendable {
  var value: JSONValue
  var version: UInt64
}

/// Sends a session's view state, first in full and then as merge patches.
///
/// At most one event waits. Until the client has taken it, a newer state replaces an older one. The
/// next patch leads from the last sent state to the newest state.
final class ViewStateStream: StreamSource {
  private struct State {
    var newest: PublishedState
    /// The state that the page shows after it has read `ready`; nil if it has no state to patch.
    var handedOver: PublishedState?
    /// The first bytes tell the page that it is connected.
    var ready = Array(": connected\n\n".utf8)
    var body: StreamBody?
    var observation: Task<Void, Never>?
    var isClosed = false
  }

  private let state: Mutex<State>
  private let observe: @Sendable (ViewStateStream) async -> Void
  private let onClose: @Sendable (ViewStateStream) -> Void

  /// Makes a stream that continues after the state with the given number if that is still the
  /// newest.
  init(
    newest: PublishedState, lastEventID: UInt64?,
    observe: @escaping @Sendable (ViewStateStream) async -> Void,
    onClose: @escaping @Sendable (ViewStateStream) -> Void
  ) {
    state = Mutex(State(newest: newest, handedOver: lastEventID == newest.version ? newest : nil))
    self.observe = observe
    self.onClose = onClose
  }

  /// The newest published state.
  var newest: PublishedState { state.withLock { $0.newest } }

  /// Publishes a new view state.
  ///
  /// A state that equals the last one costs a comparison and sends nothing. Runs off the main
  /// actor. Complexity: O(n) in the size of the state.
  func publish(_ value: JSONValue) {
    let body: StreamBody? = state.withLock { state in
      if state.newest.value != value {
        state.newest = PublishedState(value: value, version: state.newest.version + 1)
      }
      // If the client keeps up, the patch is built here and not on the polling thread.
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

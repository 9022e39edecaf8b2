import Synchronization

/// A view state with its number within the session.
struct PublishedState: Sendable {
  var value: JSONValue
  var version: UInt64
}

/// Sends a session's view state, first in full and then as merge patches.
///
/// At most one event of the session's own state waits. Until the client has taken it, a newer state
/// replaces an older one. The next patch leads from the last sent state to the newest state. The
/// events of a shared state are stored once for all streams.
final class ViewStateStream: StreamSource {
  private struct State {
    var newest: PublishedState
    /// The state that the page shows after it has read `ready`; nil if it has no state to patch.
    var handedOver: PublishedState?
    /// The version of the shared state that the page shows after it has read `ready`.
    var sharedVersion: UInt64?
    var ready = connected
    var body: StreamBody?
    var observation: Task<Void, Never>?
    var isEnded = false
    var isClosed = false
  }

  /// The first bytes tell the page that it is connected.
  private static let connected = Array(": connected\n\n".utf8)

  private let state: Mutex<State>
  private let shared: StateBroadcast?
  private let observe: @Sendable (ViewStateStream) async -> Void
  private let onClose: @Sendable (ViewStateStream) -> Void

  /// Makes a stream that continues after the given events if their states can still be patched.
  init(
    newest: PublishedState, sharing shared: StateBroadcast?, after position: EventPosition,
    observe: @escaping @Sendable (ViewStateStream) async -> Void,
    onClose: @escaping @Sendable (ViewStateStream) -> Void
  ) {
    let isKnown = position.own == newest.version
    state = Mutex(
      State(
        newest: newest, handedOver: isKnown ? newest : nil, sharedVersion: position.shared))
    self.shared = shared
    self.observe = observe
    self.onClose = onClose
  }

  /// The newest published state.
  var newest: PublishedState { state.withLock { $0.newest } }

  /// Publishes a new view state.
  ///
  /// If the state equals the last one, this only compares the states and sends nothing. Runs off
  /// the main actor. Complexity: O(n) in the size of the state.
  func publish(_ value: JSONValue) {
    let body: StreamBody? = state.withLock { state in
      let last = state.newest
      guard let patch = MergePatch.difference(from: last.value, to: value) else { return nil }
      let newest = PublishedState(value: value, version: last.version + 1)
      state.newest = newest
      // If the client keeps up, the event is built here and not on the polling thread.
      if state.ready.isEmpty, state.handedOver?.version == last.version {
        state.handedOver = newest
        state.ready = Self.event(patch, newest)
      } else if state.ready.isEmpty {
        prepare(&state)
      }
      return state.body
    }
    body?.wake()
  }

  func opened(by body: StreamBody) {
    state.withLock { $0.body = body }
    shared?.add(body)
    let task = Task { await observe(self) }
    let isClosed = state.withLock {
      $0.observation = task
      return $0.isClosed
    }
    if isClosed { task.cancel() }
  }

  func step() -> StreamStep {
    state.withLock { state in
      if state.isEnded { return .end }
      if state.ready.isEmpty { prepare(&state) }
      var bytes = state.ready
      state.ready = []
      // A page without a state receives the shared state as a part of its whole state.
      if state.handedOver != nil, let events = shared?.events(after: state.sharedVersion) {
        state.sharedVersion = events.version
        if bytes.isEmpty { bytes = events.bytes } else { bytes += events.bytes }
      }
      return bytes.isEmpty ? .wait : .bytes(bytes)
    }
  }

  func closed() {
    let (observation, body) = state.withLock { state in
      state.isClosed = true
      return (state.observation.take(), state.body.take())
    }
    if let body { shared?.remove(body) }
    observation?.cancel()
    onClose(self)
  }

  /// Ends the stream, even if it was not opened yet.
  ///
  /// Other streams of the same connection continue.
  func end() {
    let body = state.withLock { state in
      state.isEnded = true
      return state.body
    }
    body?.wake()
  }

  private func prepare(_ state: inout State) {
    let newest = state.newest
    guard let handedOver = state.handedOver else {
      var (id, line) = (String(newest.version), newest.value.serialized(.html))
      if let shared {
        let (text, version) = shared.completing(line)
        (id, line) = ("\(id) \(EventPosition.shared(version))", text)
        state.sharedVersion = version
      }
      state.ready = ServerSentEvent.bytes(name: "state", id: id, line: line)
      state.handedOver = newest
      return
    }
    guard handedOver.version != newest.version else { return }
    state.handedOver = newest
    // If the state has changed back in the meantime, there is nothing to send.
    guard let patch = MergePatch.difference(from: handedOver.value, to: newest.value) else {
      return
    }
    state.ready = Self.event(patch, newest)
  }

  private static func event(_ patch: JSONValue, _ newest: PublishedState) -> [UInt8] {
    ServerSentEvent.bytes(
      name: "patch", id: String(newest.version), line: patch.serialized(.html))
  }
}

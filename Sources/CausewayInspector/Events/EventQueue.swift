import Synchronization

/// Numbers events where they happen, and renders them elsewhere.
///
/// The main actor only adds a closure under a lock. One task renders the waiting events in order.
///
/// Isolation: any.
final class EventQueue: Sendable {
  /// Renders an event from its number and its time.
  typealias Render = @Sendable (_ n: Int, _ at: Int) -> RecordedEvent

  private struct Waiting {
    let n: Int
    let at: Int
    let render: Render
  }

  private struct State {
    var last = 0
    var dropped = 0
    var waiting: [Waiting] = []
    var task: Task<Void, Never>?
  }

  /// The largest number of events that wait; they keep states alive.
  private static let limit = 4_096

  private let state = Mutex(State())
  private let began = ContinuousClock.now
  private let store: EventStore
  private let ring: EventRing?

  init(store: EventStore, ring: EventRing?) {
    self.store = store
    self.ring = ring
  }

  /// Adds an event; its closure runs off the caller's actor.
  func add(_ render: @escaping Render) { _ = enqueue(render) }

  /// Adds an event that is in the ring on return.
  ///
  /// Its closure also runs on the caller's actor.
  func addAtOnce(_ render: @escaping Render) {
    let (n, at) = enqueue(render)
    if ring != nil { write(render(n, at)) }
  }

  private func enqueue(_ render: @escaping Render) -> (n: Int, at: Int) {
    let at = now
    return state.withLock { state in
      state.last += 1
      guard state.waiting.count < Self.limit else {
        state.dropped += 1
        return (state.last, at)
      }
      state.waiting.append(Waiting(n: state.last, at: at, render: render))
      if state.task == nil { state.task = Task { @concurrent in drain() } }
      return (state.last, at)
    }
  }

  /// Writes the action that a model begins to handle, before its handler runs.
  ///
  /// Only a program that dies in the handler leaves it in the ring.
  func begin(_ render: Render) {
    guard let ring else { return }
    let n = state.withLock { $0.last + 1 }
    if let line = try? Recording.line(render(n, now)) { ring.begin(Array(line), number: n) }
  }

  func endCurrent() { ring?.endCurrent() }

  /// Returns when all events that were added before are stored.
  func settle() async {
    while let task = state.withLock({ $0.task }) { await task.value }
  }

  private var now: Int {
    let (seconds, attoseconds) = (ContinuousClock.now - began).components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }

  private func drain() {
    while let (waiting, dropped) = take() {
      var entries: [EventStore.Entry] = []
      entries.reserveCapacity(waiting.count)
      for event in waiting { store(event.render(event.n, event.at), in: &entries) }
      if dropped > 0, let last = waiting.last {
        // A number that no kept event has: the dropped events were after these.
        let lost = RecordedEvent(
          n: last.n + 1, at: last.at, kind: .lost, lane: .actions, title: "\(dropped) events lost")
        store(lost, in: &entries)
      }
      store.append(entries)
    }
  }

  private func store(_ event: RecordedEvent, in entries: inout [EventStore.Entry]) {
    entries.append(EventStore.Entry(event))
    write(event)
  }

  private func write(_ event: RecordedEvent) {
    guard let ring, let line = try? Recording.line(event) else { return }
    ring.append(Array(line), number: event.n)
    if event.kind == .error { ring.keepCopy(at: event.at) }
  }

  /// Takes the waiting events; ends the task and returns nil if there are none.
  private func take() -> (waiting: [Waiting], dropped: Int)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.task = nil
        return nil
      }
      let taken = (state.waiting, state.dropped)
      state.waiting = []
      state.dropped = 0
      return taken
    }
  }
}

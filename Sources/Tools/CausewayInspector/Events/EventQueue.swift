import CausewayBasics
import Synchronization

/// Numbers events when they happen, and renders them later in a task.
///
/// The main actor only adds a closure under a lock. One task renders the waiting events in order.
///
/// Isolation: any.
final class EventQueue: Sendable {
  /// Renders an event from its number and its time.
  typealias Render = @Sendable (_ n: Int, _ at: Int) -> RecordedEvent

  private struct Waiting {
    let n: Int
    let at: ContinuousClock.Instant
    let render: Render
  }

  /// Events that were dropped; a single event takes the place of the first dropped event.
  private struct Dropped {
    var n = 0
    var at = ContinuousClock.now
    var count = 0

    mutating func add(_ n: Int, _ at: ContinuousClock.Instant) {
      if count == 0 { (self.n, self.at) = (n, at) }
      count += 1
    }

    func notice(_ what: String, _ lane: InspectorLane) -> Waiting? {
      guard count > 0 else { return nil }
      return Waiting(n: n, at: at) { [count] n, at in
        RecordedEvent(n: n, at: at, kind: .lost, lane: lane, title: "\(count) \(what) lost")
      }
    }
  }

  private struct State {
    var last = 0
    var waiting: [Waiting] = []
    var droppedSignals = Dropped()
    var droppedEvents = Dropped()
    var task: Task<Void, Never>?
  }

  /// The largest number of waiting events, each of which keeps states alive.
  private static let limit = 4_096
  /// With this number of waiting events, new signals are dropped, which leaves room for steps.
  private static let signalLimit = limit / 2

  private let state = Mutex(State())
  private let began = ContinuousClock.now
  private let store: EventStore
  private let ring: EventRing?
  /// Follows the data layer, even after the inspector is released, because its ring is read later.
  private let dataSignals = Mutex<DataSignalObservation?>(nil)

  init(store: EventStore, ring: EventRing?) {
    self.store = store
    self.ring = ring
  }

  /// Adds an event; its closure runs off the caller's actor.
  func add(_ render: @escaping Render) { _ = enqueue(render, limit: Self.limit) }

  /// Adds an event of the data layer, unless many events wait.
  func addSignal(_ render: @escaping Render) {
    _ = enqueue(render, limit: Self.signalLimit)
  }

  /// Adds an event and writes it into the ring before the call returns, even if many events wait.
  ///
  /// The closure of the event also runs on the caller's actor.
  func addAtOnce(_ render: @escaping Render) {
    let (n, at) = enqueue(render, limit: .max)
    if ring != nil { write(render(n, time(at))) }
  }

  /// Keeps an observation that adds signals, or ends it with `nil`.
  func follow(_ observation: DataSignalObservation?) {
    // The old observation is released after the unlock.
    _ = dataSignals.withLock { kept in
      defer { kept = observation }
      return kept
    }
  }

  private func enqueue(
    _ render: @escaping Render, limit: Int
  ) -> (n: Int, at: ContinuousClock.Instant) {
    let at = ContinuousClock.now
    return state.withLock { state in
      state.last += 1
      let n = state.last
      guard state.waiting.count < limit else {
        if limit == Self.signalLimit {
          state.droppedSignals.add(n, at)
        } else {
          state.droppedEvents.add(n, at)
        }
        return (n, at)
      }
      state.waiting.append(Waiting(n: n, at: at, render: render))
      // The rendering has a low priority, so waiting tasks of the app start first.
      if state.task == nil { state.task = Task(priority: .utility) { @concurrent in drain() } }
      return (n, at)
    }
  }

  /// Whether the events also go into a ring.
  var hasRing: Bool { ring != nil }

  /// Writes the action that a model begins to handle, before its handler runs.
  ///
  /// The action stays in the ring only if the program dies in the handler.
  func begin(_ render: Render) {
    guard let ring else { return }
    let n = state.withLock { $0.last + 1 }
    ring.begin(EventLine(render(n, time(.now))).bytes, number: n)
  }

  func endCurrent() { ring?.endCurrent() }

  /// Returns when all events that were added before are stored.
  func settle() async {
    while let task = state.withLock({ $0.task }) { await task.value }
  }

  /// The microseconds since the beginning.
  private func time(_ instant: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (instant - began).components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }

  private func drain() {
    while let waiting = take() {
      var entries: [EventStore.Entry] = []
      entries.reserveCapacity(waiting.count)
      for event in waiting { store(event.render(event.n, time(event.at)), in: &entries) }
      store.append(entries)
    }
  }

  private func store(_ event: RecordedEvent, in entries: inout [EventStore.Entry]) {
    entries.append(EventStore.Entry(event))
    write(event)
  }

  private func write(_ event: RecordedEvent) {
    guard let ring else { return }
    ring.append(EventLine(event).bytes, number: event.n, isSignal: event.isSignal)
    if event.kind == .error { ring.keepCopy(at: event.at) }
  }

  /// Takes the waiting events in order; ends the task and returns nil if there are none.
  private func take() -> [Waiting]? {
    let (taken, dropped): ([Waiting], [Waiting]) = state.withLock { state in
      if state.waiting.isEmpty {
        state.task = nil
        return ([], [])
      }
      let dropped = [
        state.droppedEvents.notice("events", .actions),
        state.droppedSignals.notice("signals of the data layer", .queries),
      ]
      defer {
        (state.waiting, state.droppedEvents, state.droppedSignals) = ([], Dropped(), Dropped())
      }
      return (state.waiting, dropped.compactMap(\.self))
    }
    if taken.isEmpty { return nil }
    return dropped.isEmpty ? taken : (taken + dropped).sorted { $0.n < $1.n }
  }
}

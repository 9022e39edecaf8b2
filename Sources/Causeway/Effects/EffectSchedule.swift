/// Decides which effects run, wait or are cancelled: a pure state machine, without tasks.
///
/// The runtime feeds it events and carries out the commands that it answers with, in order.
/// Only effects with a key pass through it; a nameless parallel effect has no rivals.
struct EffectSchedule<Ticket: Hashable> {
  enum Event {
    /// A handler asked for an effect.
    case request(Ticket, EffectKey, EffectPolicy)
    /// An effect ended by itself, or was cancelled from elsewhere.
    case ended(Ticket, EffectKey)
    /// A handler cancelled an id.
    case cancel(EffectKey)
    /// The throttling window of a key is over.
    case windowEnded(EffectKey)
  }

  enum Command: Equatable {
    case start(Ticket, after: Duration?)
    /// Cancel an effect that runs, waits or sleeps; no `ended` is expected for it.
    case cancel(Ticket)
    /// Answer with `windowEnded` after the given time.
    case openWindow(EffectKey, Duration)
  }

  /// What goes on under one key.
  fileprivate struct Lane {
    /// Running, or sleeping until its debounce delay is over.
    var running: [Ticket] = []
    /// Not started: the queue of `.serial`, or what `.throttle` keeps for the window's end.
    var waiting: [Ticket] = []
    /// The throttling interval while a window is open.
    var window: Duration?

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty && window == nil }
  }

  private var lanes: [EffectKey: Lane] = [:]

  /// Whether no keyed effect runs or waits, and no window is open.
  var isEmpty: Bool { lanes.isEmpty }

  /// Takes in an event.
  ///
  /// Complexity: O(*k*) in the number of effects under the event's key.
  mutating func handle(_ event: Event) -> [Command] {
    let key =
      switch event {
      case .request(_, let key, _), .ended(_, let key), .cancel(let key), .windowEnded(let key): key
      }
    var lane = lanes[key] ?? Lane()
    let commands =
      switch event {
      case .request(let ticket, let key, let policy): lane.admit(ticket, key, policy)
      case .ended(let ticket, _): lane.end(ticket)
      case .cancel: lane.cancelAll()
      case .windowEnded(let key): lane.endWindow(key)
      }
    lanes[key] = lane.isEmpty ? nil : lane
    return commands
  }
}

extension EffectSchedule.Lane {
  typealias Command = EffectSchedule.Command

  fileprivate mutating func admit(
    _ ticket: Ticket, _ key: EffectKey, _ policy: EffectPolicy
  ) -> [Command] {
    switch policy {
    case .parallel:
      return start(ticket)
    case .latest:
      return cancelAll() + start(ticket)
    case .first:
      return running.isEmpty && waiting.isEmpty ? start(ticket) : [.cancel(ticket)]
    case .serial:
      if running.isEmpty { return start(ticket) }
      waiting.append(ticket)
      return []
    case .debounce(let delay):
      return cancelAll() + start(ticket, after: delay)
    case .throttle(let interval, let latest):
      if window == nil {
        window = interval
        return start(ticket) + [.openWindow(key, interval)]
      }
      guard latest else { return [.cancel(ticket)] }
      let replaced = waiting.map(Command.cancel)
      waiting = [ticket]
      return replaced
    }
  }

  private mutating func start(_ ticket: Ticket, after delay: Duration? = nil) -> [Command] {
    running.append(ticket)
    return [.start(ticket, after: delay)]
  }

  fileprivate mutating func end(_ ticket: Ticket) -> [Command] {
    waiting.removeAll { $0 == ticket }
    guard let index = running.firstIndex(of: ticket) else { return [] }
    running.remove(at: index)
    // While a window is open, what waits waits for the window and not for its predecessor.
    guard running.isEmpty, window == nil, !waiting.isEmpty else { return [] }
    return start(waiting.removeFirst())
  }

  fileprivate mutating func cancelAll() -> [Command] {
    defer {
      running = []
      waiting = []
    }
    return (running + waiting).map(Command.cancel)
  }

  fileprivate mutating func endWindow(_ key: EffectKey) -> [Command] {
    guard let interval = window else { return [] }
    guard !waiting.isEmpty else {
      window = nil
      return []
    }
    return start(waiting.removeFirst()) + [.openWindow(key, interval)]
  }
}

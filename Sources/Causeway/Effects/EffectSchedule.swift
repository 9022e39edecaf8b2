/// Decides which effects run, wait or are cancelled.
///
/// It is a state machine without tasks.
///
/// The runtime sends it events and carries out the returned commands in order. It manages only
/// effects with a key; a nameless parallel effect has no rivals.
struct EffectSchedule<Ticket: Hashable> {
  enum Event {
    /// A handler requested an effect.
    case request(Ticket, EffectKey, EffectPolicy)
    /// An effect ended on its own, or was cancelled without a command of the schedule.
    case ended(Ticket, EffectKey)
    /// A handler cancelled an id.
    case cancel(EffectKey)
    /// The throttling window of a key has ended.
    case windowEnded(EffectKey)
  }

  enum Command: Equatable {
    case start(Ticket, after: Duration?)
    /// Cancel an effect that runs, waits or sleeps. No `ended` event follows.
    case cancel(Ticket)
    /// Send `windowEnded` after the given time.
    case openWindow(EffectKey, Duration)
  }

  /// The effects of one key.
  fileprivate struct Lane {
    /// The effects that run, or sleep until their debounce delay is over.
    var running = TicketList<Ticket>()
    /// The waiting effects of `.serial` and `.limited`; empty unless an effect runs.
    var queue = TicketList<Ticket>()
    /// Whether the queue waits for a free slot (`.limited`), not for all running effects.
    var isLimited = false
    /// The effect that `.throttle` starts at the end of the window.
    var held: Ticket?
    /// The throttling interval while a window is open.
    var window: Duration?

    var isEmpty: Bool { running.isEmpty && queue.isEmpty && held == nil && window == nil }
  }

  private var lanes: [EffectKey: Lane] = [:]

  /// Whether no keyed effect runs or waits, and no window is open.
  var isEmpty: Bool { lanes.isEmpty }

  /// Handles an event.
  ///
  /// Complexity: O(1) amortised, and O(*k*) for *k* returned cancellations.
  mutating func handle(_ event: Event) -> [Command] {
    let key =
      switch event {
      case .request(_, let key, _), .ended(_, let key), .cancel(let key), .windowEnded(let key): key
      }
    guard let index = lanes.index(forKey: key) else {
      var lane = Lane()
      let commands = lane.handle(event)
      if !lane.isEmpty { lanes[key] = lane }
      return commands
    }
    // Changed in place: copying a lane would be slow when it is long.
    let commands = lanes.values[index].handle(event)
    if lanes.values[index].isEmpty { lanes.remove(at: index) }
    return commands
  }
}

extension EffectSchedule.Lane {
  typealias Command = EffectSchedule.Command

  fileprivate mutating func handle(_ event: EffectSchedule.Event) -> [Command] {
    switch event {
    case .request(let ticket, let key, let policy): admit(ticket, key, policy)
    case .ended(let ticket, _): end(ticket)
    case .cancel: cancelAll()
    case .windowEnded(let key): endWindow(key)
    }
  }

  private mutating func admit(
    _ ticket: Ticket, _ key: EffectKey, _ policy: EffectPolicy
  ) -> [Command] {
    switch policy {
    case .parallel:
      return start(ticket)
    case .latest:
      return cancelAll() + start(ticket)
    case .first:
      return running.isEmpty && held == nil ? start(ticket) : [.cancel(ticket)]
    case .serial:
      isLimited = false
      if running.isEmpty { return start(ticket) }
      queue.append(ticket)
      return []
    case .limited(let limit):
      isLimited = true
      if running.count < max(1, limit) { return start(ticket) }
      queue.append(ticket)
      return []
    case .debounce(let delay):
      return cancelAll() + start(ticket, after: delay)
    case .throttle(let interval, let latest):
      if window == nil {
        window = interval
        return start(ticket) + [.openWindow(key, interval)]
      }
      guard latest else { return [.cancel(ticket)] }
      defer { held = ticket }
      return held.map { [.cancel($0)] } ?? []
    }
  }

  private mutating func start(_ ticket: Ticket, after delay: Duration? = nil) -> [Command] {
    running.append(ticket)
    return [.start(ticket, after: delay)]
  }

  private mutating func end(_ ticket: Ticket) -> [Command] {
    guard running.remove(ticket) else {
      queue.remove(ticket)
      if held == ticket { held = nil }
      return []
    }
    guard running.isEmpty || isLimited, let next = queue.popFirst() else { return [] }
    return start(next)
  }

  private mutating func cancelAll() -> [Command] {
    let all = running.all + queue.all + (held.map { [$0] } ?? [])
    running = TicketList()
    queue = TicketList()
    held = nil
    return all.map(Command.cancel)
  }

  private mutating func endWindow(_ key: EffectKey) -> [Command] {
    guard let interval = window else { return [] }
    guard let ticket = held.take() else {
      window = nil
      return []
    }
    return start(ticket) + [.openWindow(key, interval)]
  }
}

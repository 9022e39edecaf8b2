/// Decides which effects run, wait or are cancelled.
///
/// It is a state machine without tasks.
///
/// The runtime sends it events and carries out the returned commands in order. It does not manage
/// nameless parallel effects, because policies ignore them.
struct EffectSchedule<Ticket: Hashable> {
  enum Event {
    /// A handler requested an effect.
    case request(Ticket, EffectKey, EffectPolicy)
    /// An effect ended on its own, or was cancelled without a command of the schedule.
    case ended(Ticket, EffectKey)
    /// A handler cancelled the effects with an id.
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
    /// Whether the queue waits only for a free slot (`.limited`); if false, for all running
    /// effects.
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

  /// Returns the number of running and sleeping effects with a key.
  func runningCount(of key: EffectKey) -> Int { lanes[key]?.running.count ?? 0 }

  /// Handles an event.
  ///
  /// Complexity: O(1) amortised, and O(*k*) for *k* returned cancellations.
  mutating func handle(_ event: Event) -> [Command] {
    let key =
      switch event {
      case .request(_, let key, _), .ended(_, let key), .cancel(let key), .windowEnded(let key): key
      }
    // One array for all commands, because requests under `.latest` come in bursts.
    var commands: [Command] = []
    guard let index = lanes.index(forKey: key) else {
      guard case .request = event else { return commands }
      var lane = Lane()
      lane.handle(event, &commands)
      if !lane.isEmpty { lanes[key] = lane }
      return commands
    }
    // Changed in place, because copying a long lane would be slow.
    lanes.values[index].handle(event, &commands)
    if lanes.values[index].isEmpty { lanes.remove(at: index) }
    return commands
  }
}

extension EffectSchedule.Lane {
  typealias Command = EffectSchedule.Command

  fileprivate mutating func handle(_ event: EffectSchedule.Event, _ commands: inout [Command]) {
    switch event {
    case .request(let ticket, let key, let policy): admit(ticket, key, policy, &commands)
    case .ended(let ticket, _): end(ticket, &commands)
    case .cancel: cancelAll(&commands)
    case .windowEnded(let key): endWindow(key, &commands)
    }
  }

  private mutating func admit(
    _ ticket: Ticket, _ key: EffectKey, _ policy: EffectPolicy, _ commands: inout [Command]
  ) {
    switch policy {
    case .parallel:
      start(ticket, &commands)
    case .latest:
      cancelAll(&commands)
      start(ticket, &commands)
    case .first:
      if running.isEmpty, held == nil {
        start(ticket, &commands)
      } else {
        commands.append(.cancel(ticket))
      }
    case .serial:
      isLimited = false
      if running.isEmpty { start(ticket, &commands) } else { queue.append(ticket) }
    case .limited(let limit):
      isLimited = true
      if running.count < max(1, limit) { start(ticket, &commands) } else { queue.append(ticket) }
    case .debounce(let delay):
      cancelAll(&commands)
      start(ticket, after: delay, &commands)
    case .throttle(let interval, let latest):
      if window == nil {
        window = interval
        start(ticket, &commands)
        commands.append(.openWindow(key, interval))
      } else if latest {
        if let held { commands.append(.cancel(held)) }
        held = ticket
      } else {
        commands.append(.cancel(ticket))
      }
    }
  }

  private mutating func start(
    _ ticket: Ticket, after delay: Duration? = nil, _ commands: inout [Command]
  ) {
    running.append(ticket)
    commands.append(.start(ticket, after: delay))
  }

  private mutating func end(_ ticket: Ticket, _ commands: inout [Command]) {
    guard running.remove(ticket) else {
      queue.remove(ticket)
      if held == ticket { held = nil }
      return
    }
    guard running.isEmpty || isLimited, let next = queue.popFirst() else { return }
    start(next, &commands)
  }

  private mutating func cancelAll(_ commands: inout [Command]) {
    commands.reserveCapacity(running.count + queue.count + 2)
    running.removeAll { commands.append(.cancel($0)) }
    queue.removeAll { commands.append(.cancel($0)) }
    if let held = held.take() { commands.append(.cancel(held)) }
  }

  private mutating func endWindow(_ key: EffectKey, _ commands: inout [Command]) {
    guard let interval = window else { return }
    guard let ticket = held.take() else {
      window = nil
      return
    }
    start(ticket, &commands)
    commands.append(.openWindow(key, interval))
  }
}

/// Who sleeps on a test clock, and the time.
struct SleeperBook {
  var now = TestClock.Instant(offset: .zero)
  var drains: [WeakDrain] = []
  private var sleepers: [Sleeper] = []
  private var lastTicket = 0

  var isEmpty: Bool { sleepers.isEmpty }

  /// The effect whose job a drain runs at this moment.
  var runningEffect: Int? {
    drains.lazy.compactMap { $0.drain?.queue.running }.first
  }

  /// The earliest deadline of each effect.
  var deadlines: [Int: TestClock.Instant] {
    sleepers.reduce(into: [:]) { deadlines, sleeper in
      guard let effect = sleeper.effect else { return }
      deadlines[effect] = min(deadlines[effect] ?? sleeper.deadline, sleeper.deadline)
    }
  }

  /// Numbers in the order in which tasks go to sleep.
  mutating func takeTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  mutating func add(_ sleeper: Sleeper) {
    sleepers.append(sleeper)
  }

  mutating func remove(_ ticket: Int) -> Sleeper? {
    guard let index = sleepers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return sleepers.remove(at: index)
  }

  /// Moves the time to the earliest deadline up to an instant, and removes who waited for it.
  ///
  /// Complexity: O(*n*) in the number of sleepers.
  mutating func wakeFirst(until instant: TestClock.Instant) -> Sleeper? {
    guard
      let first = sleepers.min(by: { ($0.deadline, $0.ticket) < ($1.deadline, $1.ticket) }),
      first.deadline <= instant
    else { return nil }
    now = max(now, first.deadline)
    return remove(first.ticket)
  }
}

struct Sleeper {
  let deadline: TestClock.Instant
  let ticket: Int
  /// The number of the effect that sleeps.
  let effect: Int?
  let continuation: CheckedContinuation<Void, any Error>
}

struct WeakDrain: Sendable {
  weak var drain: Drain?
}

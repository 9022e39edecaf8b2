/// The time of a test clock, and the tasks that sleep on it.
struct SleeperBook {
  var now = TestClock.Instant(offset: .zero)
  var drains: [WeakDrain] = []
  private var sleepers: [Sleeper] = []
  private var lastTicket = 0
  /// The calls that wait for a number of sleepers, by their tickets.
  private var waiters: [Int: Waiter] = [:]

  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  var isEmpty: Bool { sleepers.isEmpty }

  /// The time, and the deadlines of the sleepers.
  var description: String {
    let deadlines = sleepers.map { "\($0.deadline.offset)" }.joined(separator: ", ")
    return "The clock is at \(now.offset), and "
      + (sleepers.isEmpty ? "no task sleeps." : "\(sleepers.count) sleep until \(deadlines).")
  }

  /// The effect of the current task.
  var currentEffect: SleepingEffect? {
    guard let executor = withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) else {
      return nil
    }
    for weak in drains {
      if let queue = weak.drain?.queue, let number = queue.effect(on: executor) {
        return SleepingEffect(queue: ObjectIdentifier(queue), number: number)
      }
    }
    return nil
  }

  /// The earliest deadline of each effect of one queue, by the effect's number.
  func deadlines(in queue: JobQueue) -> [Int: TestClock.Instant] {
    sleepers.reduce(into: [:]) { deadlines, sleeper in
      guard let effect = sleeper.effect, effect.queue == ObjectIdentifier(queue) else { return }
      deadlines[effect.number] = min(deadlines[effect.number] ?? sleeper.deadline, sleeper.deadline)
    }
  }

  /// Returns the next sequence number of a sleeping task.
  mutating func takeTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  /// Returns the calls that have waited for this sleeper; the caller resumes them after the unlock.
  mutating func add(_ sleeper: Sleeper) -> [CheckedContinuation<Void, Never>] {
    sleepers.append(sleeper)
    let ready = waiters.filter { $0.value.count <= sleepers.count }
    for ticket in ready.keys { waiters[ticket] = nil }
    return ready.sorted { $0.key < $1.key }.map(\.value.continuation)
  }

  /// Adds a call that waits for a number of sleepers, unless there are as many already.
  mutating func addWaiter(
    _ ticket: Int, for count: Int, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    if sleepers.count >= count { return false }
    waiters[ticket] = Waiter(count: count, continuation: continuation)
    return true
  }

  mutating func removeWaiter(_ ticket: Int) -> CheckedContinuation<Void, Never>? {
    waiters.removeValue(forKey: ticket)?.continuation
  }

  mutating func remove(_ ticket: Int) -> Sleeper? {
    guard let index = sleepers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return sleepers.remove(at: index)
  }

  /// Returns the sleeper with the earliest deadline up to an instant.
  ///
  /// Complexity: O(*n*) in the number of sleepers.
  func first(until instant: TestClock.Instant) -> Sleeper? {
    let first = sleepers.min { ($0.deadline, $0.ticket) < ($1.deadline, $1.ticket) }
    return first.flatMap { $0.deadline <= instant ? $0 : nil }
  }

  /// Advances the time to the earliest deadline up to an instant, and removes its sleeper.
  ///
  /// Complexity: O(*n*) in the number of sleepers.
  mutating func wakeFirst(until instant: TestClock.Instant) -> Sleeper? {
    guard let first = first(until: instant) else { return nil }
    now = max(now, first.deadline)
    return remove(first.ticket)
  }
}

struct WeakDrain: Sendable {
  weak var drain: Drain?
}

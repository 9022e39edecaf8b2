import CausewaySystem

/// Chooses among the tasks of one trial, and notes the options that other orders can take.
///
/// The first option is always the one without a switch: the task of the last step continues. If
/// that task waits, the first option is the task that was ready first. The other options keep their
/// order. A choice is the number of its option, so an order is described by the few choices that
/// are not 0. A task that has taken many steps in a row comes last.
final class TaskChooser: ScheduleSearch {
  struct Choice: Equatable {
    let options: Int
    /// The number of the first options that the systematic search does not count as switches.
    ///
    /// A late timer and a cancellation count as switches.
    let free: Int
    let taken: Int
    /// The mark of the option in a report; `nil` without one.
    let mark: Mark?
  }

  /// Marks a step before which another step could have come.
  enum Mark {
    /// The task of the previous step could have continued.
    case switched
    /// A timer with an earlier time has not fired yet.
    case overtook
  }

  private var log: ChoiceLog<Choice>
  private var random: SplitMix64?
  private var priorities: PrioritySearch?
  /// The numbers that the code asks for in a search by priorities.
  private var numbers = SplitMix64(seed: 0)
  /// The turn of the last step.
  private var last: ScheduleTurn?
  /// The number of steps of this turn in a row.
  private var inARow = 0
  /// The mark of the next step.
  private var nextMark: Mark?
  /// The mark of the last step.
  private(set) var lastMark: Mark?

  /// The number of steps in a row after which another task runs.
  ///
  /// A task may repeat `Task.yield()` until another task has done something.
  private static let longestRun = 30

  init(_ order: TrialOrder) {
    log = ChoiceLog(repeating: order)
    switch order.rest {
    case .calm: break
    case .uniform(let seed): random = SplitMix64(seed: seed)
    case .priorities(let seed, let length):
      // Most faults need two or three ordered steps.
      let depth = 2 + Int(seed % 2)
      priorities = PrioritySearch(seed: seed, depth: depth, length: length)
      numbers = SplitMix64(seed: seed)
    }
  }

  /// The choices so far.
  var choices: [Choice] { log.choices }

  func note(_ turn: ScheduleTurn) {
    inARow = turn == last ? inARow + 1 : 1
    last = turn
    lastMark = nextMark
    nextMark = nil
  }

  func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    let own = index(of: last, in: turns)
    let count = turns.count
    // After a long run, another task runs unless the last option is taken.
    let isLongRun = inARow >= Self.longestRun
    func place(_ option: Int) -> Int {
      guard let own else { return option }
      if isLongRun { return option == count - 1 ? own : option < own ? option : option + 1 }
      return option == 0 ? own : option <= own ? option - 1 : option
    }
    let free = own == nil ? turns.count { !$0.isCancellation } : 1
    let option = take(count, free: max(1, free)) {
      if own != nil, isLongRun { return 0 }
      guard let place = priorities?.choose(from: turns, at: now) else { return 0 }
      guard let own else { return place }
      return place == own ? 0 : place < own ? place + 1 : place
    } mark: { option in
      own == nil || option == 0 || place(option) == own || turns.isCancellation(place(option))
        ? nil : .switched
    }
    return place(option)
  }

  private func index(
    of turn: ScheduleTurn?, in turns: some RandomAccessCollection<ScheduleTurn>
  ) -> Int? {
    // A plain loop, because each choice of each order runs it.
    var place = 0
    for other in turns {
      if other == turn { return place }
      place += 1
    }
    return nil
  }

  func chooseTimer(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    take(turns.count, free: 1) {
      priorities?.choose(from: turns, at: now) ?? 0
    } mark: {
      $0 == 0 ? nil : .overtook
    }
  }

  func chooseNumber(below limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    return take(limit, free: limit) {
      priorities == nil ? 0 : numbers.next(below: limit)
    } mark: { _ in
      nil
    }
  }

  private func take(
    _ count: Int, free: Int, byPriority: () -> Int, mark: (_ option: Int) -> Mark?
  ) -> Int {
    let option: Int
    if let given = log.next(of: count) {
      option = given
    } else if random != nil {
      option = random?.next(below: count) ?? 0
    } else {
      option = byPriority()
    }
    let mark = mark(option)
    log.note(Choice(options: count, free: free, taken: option, mark: mark))
    // The cancellation of a task comes between a choice and its step.
    nextMark = mark ?? nextMark
    return option
  }
}

extension RandomAccessCollection<ScheduleTurn> {
  fileprivate func isCancellation(_ place: Int) -> Bool {
    self[index(startIndex, offsetBy: place)].isCancellation
  }
}

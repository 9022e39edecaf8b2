import CausewaySystem

/// Chooses the steps of one trial, and notes the choices so that they can be repeated and varied.
///
/// The first option is always the one without a switch: the task of the last step goes on, or if it
/// waits, the task that was ready first. The other options keep their order. A choice is the number of
/// its option, so an order is described by the few choices that are not 0. A task that has taken many
/// steps in a row comes last.
final class SwitchSearch: ScheduleSearch {
  /// How the steps after the given choices are chosen.
  enum Rest: Hashable {
    /// Without switches.
    case calm
    case uniform(seed: UInt64)
    case priorities(seed: UInt64, length: Int)
  }

  struct Choice: Equatable {
    let options: Int
    /// The number of the first options that are no switch away from a task that could go on.
    let free: Int
    let taken: Int
  }

  private let given: [Int]
  private var random: SplitMix64?
  private var priorities: PrioritySearch?
  /// The numbers that the code asks for in a search by priorities.
  private var numbers = SplitMix64(seed: 0)
  private(set) var choices: [Choice] = []
  /// The turn of the last step.
  private var last: ScheduleTurn?
  /// The number of steps of this turn in a row.
  private var inARow = 0
  /// Whether the newest choice is a switch away from a task that could go on.
  private var switches = false
  /// Whether the last step was such a switch.
  private(set) var lastWasSwitch = false

  /// The number of steps in a row after which another task goes on.
  ///
  /// A task may repeat `Task.yield()` until another task has done something.
  private static let longestRun = 30

  init(given: [Int], rest: Rest) {
    self.given = given
    switch rest {
    case .calm: break
    case .uniform(let seed): random = SplitMix64(seed: seed)
    case .priorities(let seed, let length):
      // Most faults need two or three ordered steps.
      let depth = 2 + Int(seed % 2)
      priorities = PrioritySearch(seed: seed, depth: depth, length: length)
      numbers = SplitMix64(seed: seed)
    }
  }

  func note(_ turn: ScheduleTurn) {
    inARow = turn == last ? inARow + 1 : 1
    last = turn
    lastWasSwitch = switches
    switches = false
  }

  func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    let own = last.flatMap { last in turns.enumerated().first { $0.element == last }?.offset }
    let count = turns.count
    if let own, inARow >= Self.longestRun {
      let option = take(count, free: 1) { 0 }
      return option == count - 1 ? own : option < own ? option : option + 1
    }
    let free = own == nil ? turns.count { !$0.isCancellation } : 1
    let option = take(count, free: max(1, free)) {
      guard let place = priorities?.choose(from: turns, at: now) else { return 0 }
      guard let own else { return place }
      return place == own ? 0 : place < own ? place + 1 : place
    }
    guard let own else { return option }
    return option == 0 ? own : option <= own ? option - 1 : option
  }

  func chooseTimer(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    take(turns.count, free: 1) { priorities?.choose(from: turns, at: now) ?? 0 }
  }

  func chooseNumber(below limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    return take(limit, free: limit) { priorities == nil ? 0 : numbers.next(below: limit) }
  }

  private func take(_ count: Int, free: Int, byPriority: () -> Int) -> Int {
    let option: Int
    if choices.count < given.count {
      option = min(given[choices.count], count - 1)
    } else if random != nil {
      option = random?.next(below: count) ?? 0
    } else {
      option = byPriority()
    }
    choices.append(Choice(options: count, free: free, taken: option))
    if option >= free { switches = true }
    return option
  }
}

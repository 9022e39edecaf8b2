/// The node and the task of a possible step.
struct ScheduleTurn: Hashable {
  /// The index of the node; -1 for the world.
  let node: Int
  /// The number of the task within the trial; 0 for an actor's job and for an event.
  let task: Int
  /// A number that stays the same when an earlier action is left out of the trial.
  ///
  /// It depends on the node and on the moment of the task's first job.
  let key: UInt64
}

/// Chooses the next step of a simulation.
protocol ScheduleSearch {
  /// Returns the index of the next step.
  ///
  /// - Parameters:
  ///   - turns: The possible steps, at least two.
  ///   - now: The virtual time.
  mutating func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int
}

/// Gives each possible step the same probability.
struct UniformSearch: ScheduleSearch {
  private var random: InstantRandom

  init(_ identity: SimulationCase) {
    random = InstantRandom(identity, seed: identity.schedule)
  }

  mutating func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    random.draw(at: now) { Int.random(in: 0..<turns.count, using: &$0) }
  }
}

/// Runs the task of the highest priority.
///
/// At *d* − 1 random steps, it lowers the priority of the running task. This is probabilistic
/// concurrency testing (S. Burckhardt, P. Kothari, M. Musuvathi and S. Nagarakatte, "A Randomized
/// Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). A trial finds a bug that
/// needs *d* ordered steps with a probability of at least 1 / (*n* · *k*^(*d* − 1)), for *n* tasks
/// and *k* steps with a choice.
struct PrioritySearch: ScheduleSearch {
  private let seed: UInt64
  private var priorities: [ScheduleTurn: UInt64] = [:]
  /// The steps at which a priority is lowered, with the new priority.
  private var changes: [Int: UInt64] = [:]
  private var step = 0
  /// Initial priorities are above this number, and lowered priorities are below it.
  private static let lowest: UInt64 = 1 << 32

  /// - Parameters:
  ///   - depth: The number of ordered steps that the bug needs, at least 1.
  ///   - length: The number of steps with a choice.
  init(seed: UInt64, depth: Int, length: Int) {
    self.seed = seed
    var random = SimulationRandom(seed: seed)
    for change in 0..<max(0, depth - 1) {
      changes[Int.random(in: 0..<max(1, length), using: &random)] = UInt64(depth - change)
    }
  }

  /// Complexity: O(*n*) in the number of possible steps.
  mutating func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    defer { step += 1 }
    if let lowered = changes[step], let running = highest(turns).turn {
      priorities[running] = lowered
    }
    return highest(turns).index
  }

  /// Returns the turn with the highest priority; no priority is 0.
  private mutating func highest(
    _ turns: some RandomAccessCollection<ScheduleTurn>
  ) -> (index: Int, turn: ScheduleTurn?) {
    var best: (index: Int, turn: ScheduleTurn?, priority: UInt64) = (0, nil, 0)
    for (index, turn) in turns.enumerated() {
      let priority = priority(of: turn)
      if priority > best.priority { best = (index, turn, priority) }
    }
    return (best.index, best.turn)
  }

  private mutating func priority(of turn: ScheduleTurn) -> UInt64 {
    if let known = priorities[turn] { return known }
    // A priority must not depend on the tasks before this one, some of which may be left out later.
    var random = SimulationRandom(seed: seed, purpose: turn.key)
    let new = UInt64.random(in: Self.lowest...UInt64.max, using: &random)
    priorities[turn] = new
    return new
  }
}

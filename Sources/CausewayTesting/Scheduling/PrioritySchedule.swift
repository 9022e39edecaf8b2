/// Always lets the effect or test of the highest priority go on, and lowers a priority at a few
/// random steps.
///
/// This is probabilistic concurrency testing, from S. Burckhardt, P. Kothari, M. Musuvathi and
/// S. Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs",
/// ASPLOS 2010. The threads of the paper are the effects and the test here. The main actor's turn
/// belongs to the effects that have sent it something, because its queue is first in, first out.
///
/// For a bug that needs *d* ordered steps, in a trial of *n* threads and *k* steps in total, the
/// paper proves that one run fails with a probability of at least 1 / (*n* · *k*^(*d* − 1)), if *d*
/// and *k* are given. They are not known here, because a seed alone has to repeat a trial. So a
/// seed draws *d* of 1, 2 and 3, and *k* of 16, 64, 256 and 1,024; the *k* that fits is at most
/// four times too large.
///
/// One of two such schedules has the random order of priorities that the guarantee needs. The other
/// begins with the test and then prefers the newest effect, which finds what needs effects to run
/// backwards, however many there are. So a bug of *d* up to 3, in up to 1,024 steps, is found by a
/// priority-based seed with a probability of at least 1 / (24 · *n* · (4*k*)^(*d* − 1)). Steps of
/// child tasks of one effect are not told apart, and are chosen uniformly.
struct PrioritySchedule {
  private var random: SplitMix64
  private let prefersNewest: Bool
  /// The steps at which the priority is lowered of what would go on.
  private var changes: Set<Int> = []
  private var step = 0
  /// The priorities; those that were lowered are below `lowest`.
  private var priorities: [Turn: UInt64] = [:]
  private static let lowest: UInt64 = 1 << 63

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    prefersNewest = random.next(below: 2) == 0
    let depth = 1 + random.next(below: 3)
    let length = [16, 64, 256, 1_024][random.next(below: 4)]
    while changes.count < depth - 1 {
      changes.insert(random.next(below: length))
    }
  }

  /// Complexity: O(*n*) in the number of possible steps.
  mutating func choose(_ steps: PossibleSteps) -> Int {
    let turns = steps.turns
    let possible = turns.filter { $0 != .mainActor } + steps.senders
    var first = highest(possible)
    if changes.remove(step) != nil {
      priorities[first] = random.next() >> 1
      first = highest(possible)
    }
    step += 1
    // What it has sent comes before what it does next.
    if steps.senders.contains(first) { return steps.jobs.count }
    let candidates = turns.indices.filter { turns[$0] == first }
    return candidates[random.next(below: candidates.count)]
  }

  private mutating func highest(_ turns: [Turn]) -> Turn {
    var best = turns[0]
    var bestPriority: UInt64 = 0
    for turn in turns {
      let priority = priority(of: turn)
      if priority > bestPriority { (best, bestPriority) = (turn, priority) }
    }
    return best
  }

  private mutating func priority(of turn: Turn) -> UInt64 {
    if let known = priorities[turn] { return known }
    let new =
      if !prefersNewest {
        Self.lowest | random.next()
      } else if turn == .test {
        UInt64.max
      } else {
        Self.lowest + UInt64(priorities.count)
      }
    priorities[turn] = new
    return new
  }
}

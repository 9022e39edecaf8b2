import CausewaySystem

/// Runs the effect or test of the highest priority, and lowers priorities at a few random steps.
///
/// This is probabilistic concurrency testing, from S. Burckhardt, P. Kothari, M. Musuvathi and S.
/// Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS
/// 2010. The threads of the paper correspond to the effects and the test. The main actor's turn has
/// the priority of the effects that have sent jobs to it, because its queue is first in, first out.
///
/// A bug may need *d* ordered steps, in a trial of *n* threads and *k* steps in total. If *d* and
/// *k* are given, the paper proves that one run fails with a probability of at least 1 / (*n* ·
/// *k*^(*d* − 1)). Here they are unknown, because a trial must be repeatable from its seed
/// alone. A seed therefore draws *d* from 1, 2 and 3, and *k* from 16, 64, 256 and 1,024. The
/// smallest of these that is large enough is at most four times too large.
///
/// Half of the schedules have the random order of priorities that the guarantee needs. The other
/// half begin with the test and then prefer the newest effect. They find bugs that need effects to
/// run in reverse order, regardless of their number. A priority-based seed therefore finds a bug of
/// *d* up to 3, in up to 1,024 steps, with a probability of at least 1 / (24 · *n* · (4*k*)^(*d* −
/// 1)). Steps of child tasks of one effect are not distinguished, and are chosen uniformly.
struct PrioritySchedule {
  private var random: SplitMix64
  private let prefersNewest: Bool
  /// The steps at which the priority of the next effect or test is lowered.
  private var changes: Set<Int> = []
  private var step = 0
  /// The priorities.
  ///
  /// A lowered priority is below `lowest`.
  private var priorities = PriorityTable<Turn>()
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
      priorities.set(random.next() >> 1, of: first)
      first = highest(possible)
    }
    step += 1
    // The sends of the effect come before its next step.
    if steps.senders.contains(first) { return steps.jobs.count }
    let candidates = turns.indices.filter { turns[$0] == first }
    return candidates[random.next(below: candidates.count)]
  }

  private mutating func highest(_ turns: [Turn]) -> Turn {
    var random = random
    defer { self.random = random }
    let place = priorities.highest(in: turns) { [prefersNewest] turn, count in
      if !prefersNewest { return Self.lowest | random.next() }
      return turn == .test ? UInt64.max : Self.lowest + UInt64(count)
    }
    return turns[place]
  }
}

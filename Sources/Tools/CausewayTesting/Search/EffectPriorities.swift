import CausewaySystem

/// Gives priorities to the effects and the test, and runs the one with the highest priority.
///
/// The tasks of the ``PrioritySchedule`` are the effects and the test. The main actor's turn has the
/// priority of the effects that have sent jobs to it, because its queue is first in, first out.
///
/// A schedule needs the number *d* of ordered steps, and the number *k* of all steps. Here they are
/// unknown, because a trial must be repeatable from its seed alone. A seed therefore draws *d* from 1,
/// 2 and 3, and *k* from 16, 64, 256 and 1,024. The smallest of these that is large enough is at most
/// four times too large.
///
/// Half of the schedules have the random order of priorities that the guarantee needs. The other
/// half begin with the test and then prefer the newest effect. They find bugs that need effects to
/// run in reverse order, regardless of their number. A priority-based seed therefore finds a bug of
/// *d* up to 3, in up to 1,024 steps, with a probability of at least 1 / (24 · *n* · (4*k*)^(*d* −
/// 1)). Steps of child tasks of one effect are not distinguished, and are chosen uniformly.
struct EffectPriorities {
  private var random: SplitMix64
  private let prefersNewest: Bool
  private var schedule: PrioritySchedule<Turn>

  /// - Parameter length: The number of steps; `nil` if it is unknown.
  init(seed: UInt64, length: Int? = nil) {
    random = SplitMix64(seed: seed)
    prefersNewest = random.next(below: 2) == 0
    let depth = 1 + random.next(below: 3)
    let guess = [16, 64, 256, 1_024][random.next(below: 4)]
    schedule = PrioritySchedule(depth: depth, length: length ?? guess, using: &random)
  }

  /// Complexity: O(*n*) in the number of possible steps.
  mutating func choose(_ steps: PossibleSteps) -> Int {
    let turns = steps.turns
    let possible = turns.filter { $0 != .mainActor } + steps.senders
    var random = random
    defer { self.random = random }
    let place = schedule.choose(from: possible) { [prefersNewest] turn, count in
      if !prefersNewest { return UInt64(1) << 63 | random.next() }
      return turn == .test ? UInt64.max : PrioritySchedule<Turn>.lowest + UInt64(count)
    }
    let first = possible[place]
    // The sends of the effect come before its next step.
    if steps.senders.contains(first) { return steps.jobs.count }
    let candidates = turns.indices.filter { turns[$0] == first }
    return candidates[random.next(below: candidates.count)]
  }
}

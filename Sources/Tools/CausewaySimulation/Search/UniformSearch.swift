import CausewayExploration

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

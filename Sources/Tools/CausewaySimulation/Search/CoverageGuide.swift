import CausewayExploration

/// Varies the trials that have reached new branches of the code.
struct CoverageGuide {
  private struct Entry {
    let identity: SimulationCase
    /// The virtual time at the end of the trial.
    let end: Duration
  }

  /// Returns whether branches were entered that no earlier call has reported.
  private let hasNewBranches: () -> Bool
  /// Ignores the branches that were entered since the last call, for example by a repeated trial.
  private let skip: () -> Void
  private var entries: [Entry] = []

  /// A trial with this many forks is not varied, because each fork makes the text of a case longer.
  private static let mostForks = 16

  /// Returns `nil` if the program was built without counters.
  init?() {
    guard let coverage = BranchCoverage() else { return nil }
    self.init(hasNewBranches: { coverage.update() }, skip: { coverage.skip() })
  }

  init(hasNewBranches: @escaping () -> Bool, skip: @escaping () -> Void = {}) {
    self.hasNewBranches = hasNewBranches
    self.skip = skip
  }

  /// Begins a trial.
  func begin() { skip() }

  /// Returns a variation of an earlier trial; `nil` for a new trial.
  ///
  /// Newer entries are chosen more often, because most trials have not reached their branches.
  func variation(_ number: UInt64) -> SimulationCase? {
    guard !number.isMultiple(of: 2), !entries.isEmpty else { return nil }
    var random = SimulationRandom(seed: number, purpose: 42)
    let indices = entries.indices
    let index = max(
      Int.random(in: indices, using: &random), Int.random(in: indices, using: &random))
    let entry = entries[index]
    let begin = random.duration(in: .microseconds(1)...max(.microseconds(1), entry.end))
    var identity = entry.identity
    identity.forks.removeAll { $0.begin >= begin }
    identity.forks.append(SimulationCase.Fork(begin: begin, seed: number))
    return identity
  }

  /// Keeps a trial that has just ended if it has reached something new.
  mutating func note(_ identity: SimulationCase, end: Duration) {
    guard hasNewBranches(), identity.forks.count < Self.mostForks else { return }
    entries.append(Entry(identity: identity, end: end))
  }
}

/// Varies the trials that have reached new branches of the code.
struct CoverageGuide {
  private struct Entry {
    let identity: SimulationCase
    /// The virtual time at the end of the trial.
    let end: Duration
  }

  /// Returns whether branches were entered that no earlier call has reported.
  private let hasNewBranches: () -> Bool
  private var entries: [Entry] = []

  /// The trials to vary are repeated up to their last branch, so each adds to the text of a case.
  private static let mostBranches = 16

  /// Returns `nil` if the program was built without counters.
  init?() {
    guard var coverage = BranchCoverage() else { return nil }
    _ = coverage.update()
    self.init { coverage.update() }
  }

  init(hasNewBranches: @escaping () -> Bool) {
    self.hasNewBranches = hasNewBranches
  }

  /// Returns a variation of an earlier trial; `nil` for a new trial.
  ///
  /// Newer entries are chosen more often: they were rarer, because most trials had not reached them.
  func variation(_ number: UInt64) -> SimulationCase? {
    guard !number.isMultiple(of: 2), !entries.isEmpty else { return nil }
    var random = SimulationRandom(seed: number, purpose: 42)
    let indices = entries.indices
    let index = max(
      Int.random(in: indices, using: &random), Int.random(in: indices, using: &random))
    let entry = entries[index]
    let begin = random.duration(in: .microseconds(1) ... max(.microseconds(1), entry.end))
    var identity = entry.identity
    identity.branches.removeAll { $0.begin >= begin }
    identity.branches.append(SimulationCase.Branch(begin: begin, seed: number))
    return identity
  }

  /// Keeps a trial that has just ended if it has reached something new.
  mutating func note(_ identity: SimulationCase, end: Duration) {
    guard hasNewBranches(), identity.branches.count < Self.mostBranches else { return }
    entries.append(Entry(identity: identity, end: end))
  }
}

/// Changes of the state between two steps that use it in another way.
struct ChangeRun {
  /// The indices of the steps in the trial.
  private(set) var steps: [Int] = []
  private(set) var names: [StepName] = []
  /// For each change, a bit for each earlier change of the run that comes before it in any order.
  private(set) var before: [UInt64] = []

  mutating func append(_ step: Int, _ name: StepName, isAfter: (Int) -> Bool) {
    var mask: UInt64 = 0
    for (position, earlier) in steps.prefix(64).enumerated() where isAfter(earlier) {
      mask |= 1 << UInt64(position)
    }
    steps.append(step)
    names.append(name)
    before.append(mask)
  }
}

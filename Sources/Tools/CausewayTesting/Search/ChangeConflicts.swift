/// The known conflicts between changes of the state: the order of such changes counts.
///
/// An enumeration has one value of this type, which only grows.
struct ChangeConflicts: Equatable, Sendable {
  /// Pairs of changes whose two orders give different states in at least one case.
  private var pairs: Set<Set<StepName>> = []
  /// Changes that use more than the state in at least one case.
  private var opaque: Set<StepName> = []
  /// Whether all changes conflict.
  private var isEverything = false

  mutating func insert(_ first: StepName, _ second: StepName) {
    pairs.insert([first, second])
  }

  mutating func insert(opaque step: StepName) {
    opaque.insert(step)
  }

  mutating func insertAll() {
    isEverything = true
  }

  /// Whether a step changes the state and does not conflict with all other steps that use it.
  func isComparable(_ footprint: Footprint) -> Bool {
    guard footprint.objects != nil, footprint.state == .change, !isEverything,
      let step = footprint.step
    else { return false }
    return !opaque.contains(step)
  }

  /// Whether two steps that use the state only change it, and do not conflict.
  func areIndependent(_ first: Footprint, _ second: Footprint) -> Bool {
    guard let one = first.step, let other = second.step else { return false }
    return isComparable(first) && isComparable(second) && !pairs.contains([one, other])
  }

  /// Adds conflicts; returns false if all of them are known.
  mutating func formUnion(_ other: ChangeConflicts) -> Bool {
    let before = self
    pairs.formUnion(other.pairs)
    opaque.formUnion(other.opaque)
    isEverything = isEverything || other.isEverything
    return self != before
  }
}

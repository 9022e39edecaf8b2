/// Steps that wait for the current step, first in, first out.
struct StepQueue {
  struct Step {
    let perform: @MainActor () -> Void
    let cascade: Cascade
    var effect: Effect?
    var transaction: UpdateTransaction?
    /// The scope of the removable child that has returned the action.
    ///
    /// The step counts as a member of the scope until it is performed or dropped.
    var scope: EffectScope?
  }

  private var steps: [Step?] = []
  private var first = 0

  var isEmpty: Bool { first == steps.count }

  mutating func append(_ step: Step) {
    steps.append(step)
  }

  /// Complexity: O(1) amortised.
  mutating func popFirst() -> Step? {
    guard first < steps.count else { return nil }
    let step = steps[first]
    steps[first] = nil
    first += 1
    if first == steps.count {
      // The storage is kept for the next chain unless it is unusually large.
      steps.removeAll(keepingCapacity: first <= 1024)
      first = 0
    } else if first >= 1024, first * 2 >= steps.count {
      steps.removeFirst(first)
      first = 0
    }
    return step
  }
}

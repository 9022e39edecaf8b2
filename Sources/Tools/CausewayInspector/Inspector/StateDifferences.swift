import Synchronization

/// Finds the values that each step of a model has changed.
///
/// Isolation: any. The steps of a model come one after another.
final class StateDifferences<State: Sendable>: Sendable {
  /// The state after the last step, with the parts that were read.
  ///
  /// The parts are not `Sendable`, because the parts of a state can have any type. Only the call
  /// that has taken them out of the lock, or has made them, reads or changes them. After it has put
  /// them into the lock, it only releases its references. A call that finds no parts makes its own.
  private struct Last: @unchecked Sendable {
    let state: KeptState<State>
    let part: StatePart
  }

  private let last = Mutex<Last?>(nil)

  /// Returns the changed values.
  ///
  /// Complexity: O(*n*) in the size of the parts that differ and were not read at the last step.
  func find(
    from before: KeptState<State>, to after: KeptState<State>, hiding rules: RedactionRules
  ) -> [RecordedEvent.Change] {
    // No `==` of a state runs under the lock.
    let last = last.withLock { $0.take() }
    // A step between may have been dropped.
    let part = last?.state === before ? last?.part : nil
    let (found, next) = ChangeFinder.changes(
      from: part ?? StatePart(before.value), to: after.value, hiding: rules)
    let known = Last(state: after, part: next)
    self.last.withLock { $0 = known }
    return found
  }
}

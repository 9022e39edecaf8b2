/// The state that only the full turns of a runtime need; see ``RuntimeCore/openQuickTurn()``.
///
/// Most actions that start no effect need none of it.
@MainActor
final class FullTurns {
  /// Unchecked: the queue is used only on the main actor, and no other code uses it while it
  /// changes.
  @exclusivity(unchecked) var queue = StepQueue()
  // Unchecked, like the next properties: every access is a single load or store on the main actor.
  /// The number of queued steps that this turn has handled.
  @exclusivity(unchecked) var handled = 0
  @exclusivity(unchecked) var transaction: UpdateTransaction?
  /// The effect that is sending a batch.
  @exclusivity(unchecked) var batching: Effect?
  /// The effect that opened this turn by a send.
  @exclusivity(unchecked) var sender: Effect?
  /// The shared values that the current step has changed.
  var changedValues: [any SharedContent] = []
  /// The number of steps that the observer has received.
  @exclusivity(unchecked) var steps = 0
  /// The number of emissions of the steps that the observer has received.
  @exclusivity(unchecked) var emissions = 0
  /// Returns whether the action that is being queued is still valid when its turn comes; `nil` for
  /// an action of a part that always exists.
  var condition: (@MainActor () -> Bool)?
  /// The objects about which a finding was reported; there is one report for each object.
  var reportedObjects: Set<ObjectIdentifier> = []
  /// The parts whose removed view models have sent actions.
  var reportedParts: Set<AnyKeyPath> = []
  #if DEBUG
    /// Names the action whose handler requests effects; see ``SharedCalls``.
    var requester: (() -> String)?
  #endif
}

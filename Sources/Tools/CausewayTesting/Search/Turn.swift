/// The source of the next step of a schedule: an effect, the main actor, the clock or the test.
///
/// It is the same in a trial of a shorter script, so the order of the remaining steps can be
/// repeated.
enum Turn: Hashable, Sendable {
  /// An effect, identified by the preceding action of the test and its number among that action's
  /// effects.
  case effect(action: Int, number: Int)
  /// The main actor. It handles the sends in transit.
  case mainActor
  /// The clock. It wakes the next sleeper.
  case clock
  /// The test.
  case test
}

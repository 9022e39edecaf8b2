/// The source of the next step of a schedule: an effect, the main actor, the clock or the test.
///
/// It is the same in a trial of a shorter script, which makes the order of the rest repeatable.
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

/// The steps that are possible at one point of a schedule.
///
/// They are numbered in the order of the properties.
struct PossibleSteps {
  /// The effects of the ready jobs.
  ///
  /// An effect with several jobs has several entries.
  var jobs: [Turn]
  /// The effects that may have sent something to the main actor since its last turn.
  ///
  /// It is empty if the main actor cannot have a turn.
  var senders: Set<Turn>
  var canPassTime: Bool
  var canReturn: Bool

  /// The turn of each step.
  var turns: [Turn] {
    jobs + (senders.isEmpty ? [] : [.mainActor]) + (canPassTime ? [.clock] : [])
      + (canReturn ? [.test] : [])
  }
}

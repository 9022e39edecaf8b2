/// Who takes the next step of a schedule.
///
/// It is the same in a trial of a shorter script, so that the order of the rest can be repeated.
enum Turn: Hashable, Sendable {
  /// An effect, by the action of the test that it follows and a number among those that do.
  case effect(action: Int, number: Int)
  /// The main actor, which handles the sends that are on their way.
  case mainActor
  /// The clock, which wakes the next sleeper.
  case clock
  /// The test.
  case test
}

/// The steps that are possible at one point of a schedule.
///
/// They are numbered in the order of the properties.
struct PossibleSteps {
  /// The effects of the ready jobs; one with several jobs has several entries.
  var jobs: [Turn]
  /// The effects that may have sent something to the main actor since it last had its turn; empty
  /// if that cannot have its turn.
  var senders: Set<Turn>
  var canPassTime: Bool
  var canReturn: Bool

  /// Whose turn each step is.
  var turns: [Turn] {
    jobs + (senders.isEmpty ? [] : [.mainActor]) + (canPassTime ? [.clock] : [])
      + (canReturn ? [.test] : [])
  }
}

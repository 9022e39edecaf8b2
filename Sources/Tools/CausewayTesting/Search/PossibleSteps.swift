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

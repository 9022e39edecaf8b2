public import CausewayBasics

extension NodeContext {
  /// The time, the date, the random numbers and the identifiers of the node, for its components.
  ///
  /// The keys of mutations that an engine performs come from here too.
  public var surroundings: Surroundings {
    Surroundings(
      clock: clock, date: { date },
      random: { use { $0.values.randomFraction(at: $1) } }, uuid: { uuid() })
  }
}

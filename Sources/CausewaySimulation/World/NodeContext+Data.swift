public import CausewaySimulationHooks

extension NodeContext {
  /// The time, the date, the random numbers and the identifiers of the node, for its components.
  ///
  /// The keys of mutations that an engine performs come from here too.
  public var surroundings: Surroundings {
    Surroundings(
      clock: clock, date: { date },
      random: { Trial.use { $0.nodes[id.index].nextFraction() } }, uuid: { uuid() })
  }
}

public import CausewayData

extension NodeContext {
  /// The time and the random numbers for the synchronising parts of the data layer.
  public var syncEnvironment: SyncEnvironment {
    SyncEnvironment(
      clock: clock, date: { date }, random: { Trial.ofThread.nodes[id.index].random.nextFraction() }
    )
  }
}

import CausewayNetwork
public import CausewaySync
import Foundation

extension NodeContext {
  /// The time and the random numbers for the synchronising parts of the data layer.
  ///
  /// The keys of mutations that an engine performs are random numbers of the node too.
  public var syncEnvironment: SyncEnvironment {
    SyncEnvironment(
      clock: clock, date: { date },
      random: { Trial.use { $0.nodes[id.index].nextFraction() } },
      makeKey: { IdempotencyKey(rawValue: uuid().uuidString) })
  }
}

import Causeway
import TestSupport

@testable import CausewayTesting

/// The results of all orders that a search tries, and the number of its trials.
///
/// - Returns: `nil` if there are more trials than the limit.
func allOrders<Result: Hashable>(
  limit: Int, _ run: (inout OrderSearch) -> Result
) -> (values: Set<Result>, trials: Int)? {
  var search = OrderSearch()
  var results: Set<Result> = []
  var trials = 0
  repeat {
    if trials == limit { return nil }
    trials += 1
    results.insert(run(&search))
  } while search.advance()
  return (results, trials)
}

/// The last states of an enumeration of a feature's orders, and its result.
@MainActor
func everyOrder<Feature: Interactor>(
  of feature: @escaping @MainActor () -> Feature, _ script: TrialScript<Feature.Action>,
  sharing: ExplorationOptions.Sharing
) async -> (Set<Feature.State>, ExplorationResult) where Feature.State: Hashable {
  let log = Log<Feature.State>()
  var options = ExplorationOptions.everyOrder(sharing: sharing)
  options.allowsVacuousTrials = true
  let result = await exploreInterleavings(
    in: {}, of: { feature() }, script: script, trials: 300_000, options: options
  ) { state, _ in log.append(state) }
  return (Set(log.all), result)
}

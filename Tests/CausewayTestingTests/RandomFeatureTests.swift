import Causeway
import CausewaySystem
import TestSupport
import Testing

@testable import CausewayTesting

/// Compares the reduced enumeration with other searches, on random features.
@MainActor
@Suite("Orders of random features")
struct RandomFeatureTests {
  /// The results of the searches of one feature.
  private struct Results {
    var states: Set<[Int]> = []
    var isComplete = false
    var trials = 0
  }

  private func results(
    _ feature: RandomFeature, _ options: ExplorationOptions, trials: Int
  ) async -> Results {
    var options = options
    options.allowsVacuousTrials = true
    options.onError = { _ in }
    let log = Log<[Int]>()
    let result = await exploreInterleavings(
      of: feature, script: TrialScript(feature.script.map { .run($0) }), trials: trials,
      options: options
    ) { state in log.append(state) }
    #expect(result.failure == nil, "\(feature)")
    return Results(
      states: Set(log.all), isComplete: result.isComplete, trials: result.trials)
  }

  @Test(arguments: 100..<102)
  func `a reduced search reaches each result of random features`(_ batch: Int) async {
    var random = SplitMix64(seed: UInt64(batch))
    var (complete, reduced, every) = (0, 0, 0)
    for number in 0..<(runsWholeSizes ? 15 : 5) {
      let feature = RandomFeature(&random)
      let fewer = await results(feature, .everyOrder(sharing: .state), trials: 500)
      if !fewer.isComplete { continue }
      let all = await results(feature, .everyOrder, trials: 500)
      #expect(
        all.states.isSubset(of: fewer.states), "feature \(number): \(feature)")
      if all.isComplete {
        complete += 1
        reduced += fewer.trials
        every += all.trials
        #expect(all.states == fewer.states, "feature \(number): \(feature)")
        #expect(fewer.trials <= all.trials, "feature \(number): \(feature)")
      } else {
        let sample = await results(feature, ExplorationOptions(), trials: 100)
        #expect(sample.states.isSubset(of: fewer.states), "feature \(number): \(feature)")
      }
    }
    #expect(complete >= (runsWholeSizes ? 3 : 1))
    #expect(reduced * 2 < every)
  }
}

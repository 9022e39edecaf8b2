import CausewaySimulation
import Foundation
import Testing

/// Prints the hashes of the steps of some seeds, which a script compares between processes.
@Suite(
  .serialized, .enabled(if: ProcessInfo.processInfo.environment["SIMULATE_TRACES"] != nil))
struct SimulationTraces {
  @Test(arguments: SimulationCampaign.Simulated.allCases)
  func `the trace of a world`(world: SimulationCampaign.Simulated) throws {
    for seed in [17, 1_000_000] as [UInt64] {
      let summary = try world.simulate(seed..<seed + 1)
      print("trace of \(world.rawValue), seed \(seed): \(summary.trace), \(summary.steps) steps")
    }
  }
}

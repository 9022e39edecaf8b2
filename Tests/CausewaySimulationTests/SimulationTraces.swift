import CausewaySimulation
import Foundation
import Testing

/// Prints the hashes of the steps of some seeds, which a script compares between processes.
@Suite(
  .serialized, .enabled(if: ProcessInfo.processInfo.environment["SIMULATE_TRACES"] != nil))
struct SimulationTraces {
  @Test(arguments: Campaign.worlds)
  func `the trace of a world`(
    world: SimulationCampaign.Simulated
  ) throws {
    let seed: UInt64 = 17
    let summary = try world.simulate(seed..<seed + 1)
    print("trace of \(world.rawValue), seed \(seed): \(summary.trace), \(summary.steps) steps")
  }
}

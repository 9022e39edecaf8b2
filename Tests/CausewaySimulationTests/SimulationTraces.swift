import CausewaySimulation
import Foundation
import Testing

/// Runs a seed in each world, and prints a hash of the steps.
///
/// `make replays` compares the hashes of several processes.
@Suite(.serialized, .enabled(if: Campaign.traces != nil))
struct SimulationTraces {
  @Test(arguments: Campaign.chosen(SimulationCampaign.Simulated.self))
  func `the trace of a world`(world: SimulationCampaign.Simulated) throws {
    let name = "\(world.rawValue), seed 17"
    let summary = try world.simulate(17..<18, replaying: nil)
    print("trace of \(name): \(summary.trace), \(summary.steps) steps")
    guard let traces = Campaign.traces else { return }
    // The first process writes its steps, and the others compare their steps with them.
    let file = URL(filePath: traces).appending(path: "\(world.rawValue).steps")
    if let steps = try? String(contentsOf: file, encoding: .utf8) {
      let earlier = steps.split(separator: "\n").map(String.init)
      if let difference = summary.firstDifference(from: earlier) {
        print("difference in \(name): \(difference)")
      }
    } else {
      try summary.lastSteps.joined(separator: "\n").write(
        to: file, atomically: true, encoding: .utf8)
    }
  }
}

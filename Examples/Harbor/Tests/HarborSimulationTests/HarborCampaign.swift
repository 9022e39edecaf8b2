import CausewaySimulation
import Testing

/// The worlds of `make simulate` in which Harbor runs.
enum HarborSimulated: String, CampaignWorld {
  case harbor, harborOnFullDisk, harborOnFailingDisk

  func simulate(
    _ seeds: Range<UInt64>, replaying replay: String?
  ) throws -> SimulationSummary {
    var world = HarborWorld()
    switch self {
    case .harbor: break
    case .harborOnFullDisk: world.disk = .full
    case .harborOnFailingDisk: world.disk = .failing
    }
    return try world.simulate(seeds, replaying: replay)
  }
}

@Suite(.serialized, .enabled(if: Campaign.limit != nil))
struct HarborCampaign {
  @Test func `the settings name a world`() {
    let mistake = Campaign.mistake(
      HarborSimulated.self, world: Campaign.world, replay: Campaign.replay)
    #expect(mistake == nil)
  }

  @Test(arguments: Campaign.chosen(HarborSimulated.self))
  func `no seed fails`(world: HarborSimulated) throws {
    try Campaign.run(world)
  }
}

/// Runs a seed in each world, and prints a hash of the steps.
///
/// `make replays` compares the hashes of several processes.
@Suite(.serialized, .enabled(if: Campaign.traces != nil))
struct HarborTraces {
  @Test(arguments: Campaign.chosen(HarborSimulated.self))
  func `the trace of a world`(world: HarborSimulated) throws {
    let summary = try world.simulate(17..<18, replaying: nil)
    print("trace of \(world.rawValue), seed 17: \(summary.trace), \(summary.steps) steps")
  }
}

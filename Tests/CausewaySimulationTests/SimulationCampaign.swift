import CausewaySimulation
import Foundation
import Testing

/// The worlds of `make simulate`.
@Suite(.serialized, .enabled(if: Campaign.limit != nil))
struct SimulationCampaign {
  enum Simulated: String, CampaignWorld {
    case polling, hints, refusals, fullDisk, failingDisk, logout, logoutOnFailingDisk
    case queries, stores, storesOnFailingDisk, uploads

    func simulate(
      _ seeds: Range<UInt64>, replaying replay: String?
    ) throws -> SimulationSummary {
      // Each client performs an action every ten seconds.
      let long = Duration.seconds(670)
      switch self {
      case .polling:
        return try Board(actions: 67, duration: long).simulate(seeds, replaying: replay)
      case .hints:
        let board = Board(usesHints: true, actions: 67, duration: long)
        return try board.simulate(seeds, replaying: replay)
      case .refusals:
        let board = Board(usesHints: true, isLively: true, actions: 67, duration: long)
        return try board.simulate(seeds, replaying: replay)
      case .fullDisk:
        return try Board(faults: Self.bad(.full)).simulate(seeds, replaying: replay)
      case .failingDisk:
        return try Board(faults: Self.bad(.failing)).simulate(seeds, replaying: replay)
      case .logout: return try LogoutWorld().simulate(seeds, replaying: replay)
      case .logoutOnFailingDisk:
        return try LogoutWorld(disk: .failing).simulate(seeds, replaying: replay)
      case .queries: return try QueryWorld().simulate(seeds, replaying: replay)
      case .stores: return try StoreWorld().simulate(seeds, replaying: replay)
      case .storesOnFailingDisk:
        return try StoreWorld(disk: .failingSync).simulate(seeds, replaying: replay)
      case .uploads: return try UploadWorld().simulate(seeds, replaying: replay)
      }
    }

    private static func bad(
      _ fault: DiskFault
    ) -> @Sendable (_ server: NodeID, _ phones: [NodeID]) -> [SimulationFault] {
      { server, phones in
        let all = [server] + phones
        return [
          .disk(fault, of: all, every: .seconds(20), lasting: .zero ... .seconds(20)),
          .powerLoss(of: all, every: .seconds(40), down: .zero ... .seconds(20)),
        ]
      }
    }
  }

  @Test func `the settings name a world`() {
    let mistake = Campaign.mistake(
      Simulated.self, world: Campaign.world, replay: Campaign.replay)
    #expect(mistake == nil)
  }

  @Test(arguments: Campaign.chosen(Simulated.self))
  func `no seed fails`(world: Simulated) throws {
    try Campaign.run(world)
  }

  @Test(
    .enabled(if: Campaign.world == Campaign.bugs && Campaign.replay == nil),
    arguments: PlantedBug.allCases)
  func `the number of seeds that find each planted bug`(bug: PlantedBug) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    var counts: [UInt64] = []
    for start in stride(from: UInt64(0), to: 5_000, by: 1_000) {
      do {
        try bug.simulate(start..<start + 1_000, isPlanted: true)
        Issue.record("seeds \(start) to \(start + 999) do not find the bug")
      } catch let failure as SimulationFailure {
        counts.append(failure.seed - start + 1)
      }
    }
    counts.sort()
    print(
      """
      \(bug.rawValue): a median of \(counts[counts.count / 2]) seeds of \(counts), \
      in \((clock.now - begin) / .seconds(1)) s
      """)
  }
}

@Suite struct CampaignSettingTests {
  @Test(arguments: [
    ("queries", nil, false), ("queries", "17/0", false), (nil, nil, false), (nil, "17/0", true),
    ("inquiries", nil, true), ("inquiries", "17/0", true),
  ])
  func `an unknown world, and a replay without a world, are mistakes`(
    world: String?, replay: String?, isMistake: Bool
  ) {
    let mistake = Campaign.mistake(
      SimulationCampaign.Simulated.self, world: world, replay: replay)
    #expect((mistake != nil) == isMistake)
  }
}

import CausewaySimulation
import Foundation
import Testing

/// The settings of `make simulate`; `make test` always simulates the same seeds.
enum Campaign {
  /// The time for each world.
  static let limit = ProcessInfo.processInfo.environment["SIMULATE_SECONDS"].flatMap { Int($0) }
    .map { Duration.seconds($0) }
  /// The only world to simulate; `nil` for all worlds.
  static let world = ProcessInfo.processInfo.environment["SIMULATE_WORLD"].flatMap {
    $0.isEmpty ? nil : $0
  }
  /// In place of a world: the programs with a planted bug.
  static let bugs = "bugs"
  /// The memory, in megabytes, at which `Scripts/simulate` replaces the process.
  static let mostMemory = 450
  /// The trial to repeat, as the failure shows it; `nil` for new seeds.
  static let replay = ProcessInfo.processInfo.environment["SIMULATE_REPLAY"].flatMap {
    $0.isEmpty ? nil : $0
  }
  /// The number of threads that take the steps; `nil` for the deterministic search.
  static let threads = ProcessInfo.processInfo.environment["SIMULATE_THREADS"].flatMap { Int($0) }
  /// With the counters of the compiler, they guide the search.
  static let search: SimulationSearch =
    if let threads {
      .threads(threads)
    } else {
      ProcessInfo.processInfo.environment["SIMULATE_COVERAGE"] == "1" ? .coverage : .uniform
    }
  /// The number of seeds of one search, which begins without the trials of the searches before.
  static let batch: UInt64 = search == .coverage ? 200 : 5
  static var worlds: [SimulationCampaign.Simulated] {
    SimulationCampaign.Simulated.allCases.filter { $0.rawValue == world ?? $0.rawValue }
  }
  /// The mistake in `world` or `replay`; `nil` if there is none.
  ///
  /// A text of a trial means other steps in another world.
  static func mistake(world: String?, replay: String?) -> String? {
    if let world, world != bugs, SimulationCampaign.Simulated(rawValue: world) == nil {
      let names = SimulationCampaign.Simulated.allCases.map(\.rawValue)
      return "There is no world \"\(world)\". WORLD is one of \(names.joined(separator: ", "))."
    }
    return world == nil && replay != nil ? "REPLAY needs the WORLD of the failure." : nil
  }

  static let firstSeed =
    ProcessInfo.processInfo.environment["SIMULATE_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 40)
}

/// The worlds of `make simulate`.
@Suite(.serialized, .enabled(if: Campaign.limit != nil))
struct SimulationCampaign {
  enum Simulated: String, CaseIterable, Sendable {
    case polling, hints, refusals, fullDisk, failingDisk, logout, logoutOnFailingDisk, harbor
    case harborOnFullDisk, harborOnFailingDisk, queries, stores, storesOnFailingDisk, uploads

    func simulate(
      _ seeds: Range<UInt64>, replaying replay: String? = nil
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
      case .harbor, .harborOnFullDisk, .harborOnFailingDisk:
        var world = HarborWorld()
        if self == .harborOnFullDisk { world.disk = .full }
        if self == .harborOnFailingDisk { world.disk = .failing }
        return try world.simulate(seeds, replaying: replay)
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
    let mistake = Campaign.mistake(world: Campaign.world, replay: Campaign.replay)
    #expect(mistake == nil)
  }

  @Test(arguments: Campaign.worlds)
  func `no seed fails`(world: Simulated) throws {
    if Campaign.mistake(world: Campaign.world, replay: Campaign.replay) != nil { return }
    if let replay = Campaign.replay {
      return print("\(world.rawValue): \(try world.simulate(0..<0, replaying: replay))")
    }
    let clock = ContinuousClock()
    let start = clock.now
    var seed = Campaign.firstSeed
    var (trials, steps, crashes) = (0, 0, 0)
    repeat {
      let summary = try world.simulate(seed..<seed + Campaign.batch)
      seed += Campaign.batch
      trials += summary.trials
      steps += summary.steps
      crashes += summary.crashes
    } while clock.now - start < Campaign.limit ?? .zero && Self.peakMemory < Campaign.mostMemory
    let seconds = (clock.now - start) / .seconds(1)
    print(
      """
      \(world.rawValue): seeds from \(Campaign.firstSeed): \(trials), \(steps) steps, \
      \(crashes) crashes; \(Int(Double(trials) * 60 / seconds)) seeds a minute, \
      \(Int(Double(crashes) / seconds)) crashes a second; at most \(Self.peakMemory) MB
      """)
  }

  /// The largest amount of memory that the process has had, in megabytes.
  ///
  /// On Linux, `getrusage` also counts the program that has started this one.
  private static var peakMemory: Int {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss / 1_048_576
    #else
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    #endif
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
    ("harbor", nil, false), ("harbor", "17/0", false), (nil, nil, false), (nil, "17/0", true),
    ("harbour", nil, true), ("harbour", "17/0", true),
  ])
  func `an unknown world, and a replay without a world, are mistakes`(
    world: String?, replay: String?, isMistake: Bool
  ) {
    #expect((Campaign.mistake(world: world, replay: replay) != nil) == isMistake)
  }
}

/// Simulates the seeds of a world, or repeats one trial of it.
func simulateWorld<Parts: Sendable>(
  _ seeds: Range<UInt64>, _ replay: String?, for duration: Duration, settling: Duration,
  search: SimulationSearch = Campaign.search, shrinks: Int,
  _ build: @escaping @Sendable (World) throws -> Parts,
  check: @escaping @Sendable (World, Parts) async throws -> Void
) throws -> SimulationSummary {
  guard let replay else {
    return try simulate(
      seeds: seeds, for: duration, settling: settling, search: search, shrinks: shrinks, build,
      check: check)
  }
  return try simulate(
    replaying: replay, for: duration, settling: settling, build, check: check)
}

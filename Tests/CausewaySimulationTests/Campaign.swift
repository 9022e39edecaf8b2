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
  /// The memory, in megabytes, at which `make simulate` replaces the process.
  static let mostMemory = 450
  /// The trial to repeat, as the failure shows it; `nil` for new seeds.
  static let replay = ProcessInfo.processInfo.environment["SIMULATE_REPLAY"].flatMap {
    $0.isEmpty ? nil : $0
  }
  /// The number of threads that take the steps; `nil` for the deterministic search.
  static let threads = ProcessInfo.processInfo.environment["SIMULATE_THREADS"].flatMap { Int($0) }
  /// The folder in which `make replays` keeps the steps of the first process.
  static let traces = ProcessInfo.processInfo.environment["SIMULATE_TRACES"]
  /// The kind of the search; with `SIMULATE_COVERAGE=1`, the counters of the compiler guide it.
  static let search: SimulationSearch =
    if let threads {
      .threads(threads)
    } else {
      ProcessInfo.processInfo.environment["SIMULATE_COVERAGE"] == "1" ? .coverage : .uniform
    }
  /// The number of seeds of one search.
  ///
  /// Each search begins without the trials of earlier searches.
  static let batch: UInt64 = search == .coverage ? 200 : 5

  /// The worlds of a kind that the settings choose.
  static func chosen<Simulated: CampaignWorld>(_: Simulated.Type) -> [Simulated] {
    Simulated.allCases.filter { $0.rawValue == world ?? $0.rawValue }
  }

  /// The mistake in `world` or `replay`; `nil` if there is none.
  ///
  /// The text of a trial describes different steps in each world, so a replay needs a world.
  static func mistake<Simulated: CampaignWorld>(
    _: Simulated.Type, world: String?, replay: String?
  ) -> String? {
    if let world, world != bugs, Simulated(rawValue: world) == nil {
      let names = Simulated.allCases.map(\.rawValue)
      return "There is no world \"\(world)\". WORLD is one of \(names.joined(separator: ", "))."
    }
    return world == nil && replay != nil ? "REPLAY needs the WORLD of the failure." : nil
  }

  static let firstSeed =
    ProcessInfo.processInfo.environment["SIMULATE_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 40)

  /// Simulates seeds of a world until its time is over, or repeats the trial of the settings.
  ///
  /// - Throws: The failure of a seed.
  static func run<Simulated: CampaignWorld>(_ world: Simulated) throws {
    if mistake(Simulated.self, world: self.world, replay: replay) != nil { return }
    if let replay {
      return print("\(world.rawValue): \(try world.simulate(0..<0, replaying: replay))")
    }
    let clock = ContinuousClock()
    let start = clock.now
    var seed = firstSeed
    var (trials, steps, crashes) = (0, 0, 0)
    repeat {
      let summary = try world.simulate(seed..<seed + batch, replaying: nil)
      seed += batch
      trials += summary.trials
      steps += summary.steps
      crashes += summary.crashes
    } while clock.now - start < limit ?? .zero && peakMemory < mostMemory
    let seconds = (clock.now - start) / .seconds(1)
    print(
      """
      \(world.rawValue): seeds from \(firstSeed): \(trials), \(steps) steps, \
      \(crashes) crashes; \(Int(Double(trials) * 60 / seconds)) seeds a minute, \
      \(Int(Double(crashes) / seconds)) crashes a second; at most \(peakMemory) MB
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
}

/// A world of `make simulate`, by its name.
protocol CampaignWorld: CaseIterable, RawRepresentable<String>, Sendable {
  func simulate(_ seeds: Range<UInt64>, replaying replay: String?) throws -> SimulationSummary
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

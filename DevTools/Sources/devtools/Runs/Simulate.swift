import Foundation
import Synchronization

/// Simulates worlds with crashes and power failures, in one process for each core.
struct Simulate: Command {
  static let name = "simulate"
  static let summary = "simulates worlds with crashes and power failures"
  static let help = """
    USAGE: Scripts/devtools simulate [SECONDS] [OPTION OF `swift build`]...   60 for each world
    A process that has 450 MB of memory is replaced: tasks that a crash drops stay in its memory.

    SIMULATE_WORLD     the only world
    SIMULATE_SEED      the first seed; a random one by default
    SIMULATE_COVERAGE  1 to build with the counters of branches, which guide the search
    SIMULATE_THREADS   the number of threads that take the steps of each trial at the same time, for
                       deadlocks and races; such a failure cannot be repeated
    SIMULATE_REPLAY    the text of a trial to repeat, with its SIMULATE_WORLD
    SIMULATE_JOBS      the number of processes; one for each core by default
    Exit status: 0 when no seed fails, 1 when one fails, 2 when nothing could be simulated.

    """

  private let options: [String]
  private let seconds: Int
  private let seed: UInt64
  private let worlds: [String]
  private let isOneWorld: Bool
  private let isGuided: Bool

  static func run(_ words: [String]) throws -> Int32 {
    let simulate = try Simulate(words)
    if variable("SIMULATE_REPLAY") != nil {
      try simulate.build()
      return try simulate.process(simulate.isOneWorld ? simulate.worlds[0] : "", 1, seed: 0).status
    }
    // The threads of one process use all cores.
    let most = try number("THREADS") == nil ? Shell.cores() : 1
    let jobs = try number("JOBS") ?? most
    try simulate.build()
    return try simulate.run(jobs: jobs) ? 0 : 1
  }

  private init(_ words: [String]) throws {
    guard let seconds = Int(words.first ?? "60"), seconds >= 0 else {
      throw Failure("simulate: SECONDS must be a number, not \"\(words[0])\"")
    }
    self.seconds = seconds
    let names = try Worlds.names()
    let world = variable("SIMULATE_WORLD")
    // "bugs" are the programs with planted bugs.
    if let world, !(names + ["bugs"]).contains(world) {
      throw Failure(
        "simulate: there is no world \"\(world)\". WORLD is one of: "
          + "\(names.joined(separator: " ")) bugs")
    }
    isOneWorld = world != nil
    worlds = world.map { [$0] } ?? names
    let seed = variable("SIMULATE_SEED") ?? String(UInt64.random(in: 0..<1 << 45))
    guard let seed = UInt64(seed) else {
      throw Failure("simulate: SEED must be a number, not \"\(seed)\"")
    }
    self.seed = seed
    isGuided = variable("SIMULATE_COVERAGE") == "1"
    // An optimised build runs about ten times as many trials.
    options =
      ["-c", "release", "-Xswiftc", "-enable-testing", "--disable-build-manifest-caching"]
      + words.dropFirst() + ["--scratch-path", isGuided ? ".build/coverage" : ".build/flake"]
  }

  private static func number(_ name: String) throws -> Int? {
    guard let text = variable("SIMULATE_\(name)") else { return nil }
    guard let number = Int(text), number > 0 else {
      throw Failure("simulate: \(name) must be a number from 1 on, not \"\(text)\"")
    }
    return number
  }

  private func build() throws {
    let packages = isOneWorld ? [Worlds.package(of: worlds[0])] : SwiftPackages.tested
    let counters = isGuided ? ["--enable-code-coverage"] : []
    // A simulation may take hours, so it holds the lock only during the build. Another command
    // that builds in the meantime can replace the programs of the simulation.
    try CheckoutLock.withLock(isGuided ? "coverage" : "flake", for: [Self.name]) {
      try SwiftPackages.buildTests(of: packages, options + counters)
    }
  }

  /// Runs one process for a world.
  private func process(
    _ world: String, _ seconds: Int, seed: UInt64, suite: String = "(Simulation|Harbor)Campaign"
  ) throws -> Shell.Result {
    // The standard library reads the order of tables only when a process starts.
    var environment = [
      "SWIFT_DETERMINISTIC_HASHING": "1", "SIMULATE_WORLD": world,
      "SIMULATE_SECONDS": "\(seconds)", "SIMULATE_SEED": "\(seed)",
    ]
    // Only the processes themselves read the counters.
    if isGuided { environment["LLVM_PROFILE_FILE"] = "/dev/null" }
    return try Shell.run(
      [
        "swift", "test", "--package-path", Worlds.package(of: world), "--skip-build",
        "--ignore-lock", "--disable-xctest", "--filter", suite,
      ] + options, environment: environment)
  }

  /// Runs all processes until their time is over.
  ///
  /// If one process fails, the others are ended.
  private func run(jobs: Int) throws -> Bool {
    let outcomes = Mutex<[Result<Bool, any Error>]>([])
    let ends = DispatchSemaphore(value: 0)
    for number in 0..<jobs {
      Thread.detachNewThread {
        let outcome = Result { try work(number) }
        outcomes.withLock { $0.append(outcome) }
        ends.signal()
      }
    }
    for _ in 0..<jobs {
      ends.wait()
      for outcome in outcomes.withLock(\.self) {
        if case .success(true) = outcome { continue }
        Interruption.end()
        return try outcome.get()
      }
    }
    return true
  }

  /// Runs processes with seeds of their own, one after the other, until the time is over.
  private func work(_ number: Int) throws -> Bool {
    for world in worlds {
      let end = Date(timeIntervalSinceNow: Double(seconds))
      var first = seed &+ UInt64(number) * 1_000_000_000
      while end.timeIntervalSinceNow > 0 {
        let left = Int(end.timeIntervalSinceNow.rounded(.up))
        guard try process(world, left, seed: first).isSuccess else { return false }
        first &+= 1_000_000
      }
    }
    // The first process also counts the seeds that find each planted bug.
    guard number == 0, !isOneWorld else { return true }
    guard try process("bugs", 1, seed: 0).isSuccess else { return false }
    return try !isGuided || process("", 1, seed: 0, suite: "CoverageGuideTests").isSuccess
  }
}

import Foundation

/// Plants mistakes in a copy of the repository, and reports which the worlds and the tests find.
struct Mutate: Command {
  static let name = "mutate"
  static let summary = "plants mistakes in a copy, and reports which of them are found"
  static let help = """
    USAGE: Scripts/devtools mutate [--check] [NAME]...
    Plants mistakes in a copy of this repository, one after the other, and reports which of them the
    simulated worlds find and which the tests find. Each file in DevTools/mutations is a mistake: a
    sentence, and a patch. NAME is a file there without `.patch`; all by default.

      --check  only checks that each patch still applies
    MUTATE_SECONDS   the time of the worlds for each mistake, 300 by default; 0 runs none
    MUTATE_WORLDS    the worlds, all of them by default
    MUTATE_TESTS     the tests, as for `swift test --filter`; `none` runs no tests
    MUTATE_OPTIONS   options of `swift build`
    MUTATE_BASELINE  `none` trusts that the sources pass without a mistake
    OMITTED_TESTS    the suites that are not built
    Output: a line for each mistake, also in .build/mutants/report. "timeout" means that the worlds or
    the tests did not end, which they do without the mistake.
    Exit status: 0 if each patch applies, and each mistake was found.

    """

  private static let patches = "DevTools/mutations"
  private static let omitted = """
    CausewayTests CausewayMainActorTests CausewayNonisolatedTests CausewayTestingTests \
    CausewayTestingXCTestTests CausewayPostgresTests DocumentationTests CausewayWebBrowserTests \
    HarborPostgresTests HarborBrowserTests CausewaySystemTests CausewayBasicsTests \
    CausewayInspectorTests HarborAccountsTests
    """
  private static let suites =
    "^(CausewayDataTests|CausewaySQLiteTests|CausewayHTTPTests|CausewayWebTests"
    + "|CausewayExplorationTests|CausewaySimulationTests|HarborSimulationTests|HarborTests)\\."

  private let root = FileManager.default.currentDirectoryPath
  private var folder: String { "\(root)/.build/mutants" }
  private let seconds: Int
  private let tests = variable("MUTATE_TESTS") ?? suites
  private let worlds: [String]
  private let options: [String]
  private let environment: [String: String]

  static func lock(_ words: [String]) -> String? { words.first == "--check" ? nil : "mutants" }

  static func run(_ words: [String]) throws -> Int32 {
    let onlyChecks = words.first == "--check"
    let named = onlyChecks ? Array(words.dropFirst()) : words
    let names = try named.isEmpty ? all() : named
    var isStale = false
    for name in names {
      let patch = "\(patches)/\(name).patch"
      guard FileManager.default.fileExists(atPath: patch) else {
        throw Failure("there is no mistake \(patch)")
      }
      if try !Shell.run(Git.command("apply", "--check", patch)).isSuccess {
        say("stale: \(name)", to: .standardError)
        isStale = true
      }
    }
    if isStale {
      say(
        "Change these patches, so that each plants its mistake in the current sources.",
        to: .standardError)
      return 1
    }
    return try onlyChecks || Mutate().run(names) ? 0 : 1
  }

  /// The names of all mistakes.
  static func all() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: patches)
      .filter { $0.hasSuffix(".patch") }.map { String($0.dropLast(".patch".count)) }.sorted()
  }

  private init() throws {
    let text = variable("MUTATE_SECONDS") ?? "300"
    guard let seconds = Int(text) else {
      throw Failure("mutate: SECONDS must be a number, not \"\(text)\"")
    }
    self.seconds = seconds
    worlds =
      try variable("MUTATE_WORLDS")?.split(separator: " ").map(String.init) ?? Worlds.names()
    let more = variable("MUTATE_OPTIONS")?.split(separator: " ").map(String.init) ?? []
    options = ["--scratch-path", ".build", "--disable-build-manifest-caching"] + more
    let omitted = ProcessInfo.processInfo.environment["OMITTED_TESTS"] ?? Self.omitted
    environment = ["OMITTED_TESTS": omitted]
  }

  private func run(_ names: [String]) throws -> Bool {
    let copy = try SourceCopy(folder: "\(folder)/copy")
    var report = ""
    try report.write(toFile: "\(folder)/report", atomically: true, encoding: .utf8)
    // A failure without a mistake would make each mistake look found.
    if variable("MUTATE_BASELINE") != "none" {
      let log = try newLog("baseline")
      try copy.removeGoneSources()
      try copy.update()
      guard try builds(copy, log) else { throw Failure("the sources do not build: see \(log)") }
      let outcome = try search(copy, log)
      guard !outcome.isFound else {
        throw Failure("without a mistake: \(outcome.text). See \(log)")
      }
    }
    var isComplete = true
    for name in names {
      let log = try newLog(name)
      try copy.update()
      // Without a repository of its own, the copy would belong to the repository of its sources.
      guard
        try Shell.run(["git", "init", "-q"], log: log, in: copy.folder).isSuccess,
        try Shell.run(
          Git.command("apply", "\(root)/\(Self.patches)/\(name).patch"), log: log, in: copy.folder
        ).isSuccess
      else { throw Failure("\(name) cannot be planted: see \(log)") }
      let isBuilt = try builds(copy, log)
      let outcome =
        try isBuilt ? search(copy, log) : (text: "does not compile: see \(log)", isFound: false)
      if !outcome.isFound { isComplete = false }
      let line = name.padding(toLength: max(34, name.count), withPad: " ", startingAt: 0)
      say("\(line) \(outcome.text)")
      report += "\(line) \(outcome.text)\n"
      try report.write(toFile: "\(folder)/report", atomically: true, encoding: .utf8)
    }
    try copy.update()
    return isComplete
  }

  private func newLog(_ name: String) throws -> String {
    let log = "\(folder)/\(name).log"
    try "".write(toFile: log, atomically: true, encoding: .utf8)
    return log
  }

  /// Builds the copy with its tests.
  private func builds(_ copy: SourceCopy, _ log: String) throws -> Bool {
    for package in SwiftPackages.tested {
      let command = ["swift", "build", "--package-path", package, "--build-tests"] + options
      guard try Shell.run(command, log: log, environment: environment, in: copy.folder).isSuccess
      else { return false }
    }
    return true
  }

  /// Runs the worlds, which share the time, until one fails, and the tests.
  private func search(_ copy: SourceCopy, _ log: String) throws -> (text: String, isFound: Bool) {
    var simulated = "-"
    // The standard library reads the order of tables only when a process starts.
    var campaign = [
      "SWIFT_DETERMINISTIC_HASHING": "1", "SIMULATE_SEED": "1",
      "SIMULATE_SECONDS": "\(seconds / max(1, worlds.count) + 1)",
    ]
    for world in worlds where seconds > 0 && simulated == "-" {
      campaign["SIMULATE_WORLD"] = world
      let outcome = try test(
        Worlds.package(of: world), "Campaign.*no seed fails", seconds + 600, copy, log, campaign)
      if let outcome { simulated = "\(world) (\(outcome))" }
    }
    var tested = "-"
    for package in SwiftPackages.tested where tests != "none" {
      tested = try test(package, tests, 1800, copy, log) ?? tested
    }
    return ("campaign: \(simulated)  tests: \(tested)", simulated != "-" || tested != "-")
  }

  /// Runs tests of the copy; nil if they pass.
  private func test(
    _ package: String, _ filter: String, _ limit: Int, _ copy: SourceCopy, _ log: String,
    _ variables: [String: String] = [:]
  ) throws -> String? {
    let command = [
      "timeout", "--kill-after=20", "\(limit)", "swift", "test", "--package-path", package,
      "--skip-build", "--disable-xctest", "--filter", filter,
    ]
    let result = try Shell.run(
      command + options, log: log, environment: environment.merging(variables) { $1 },
      in: copy.folder)
    switch result.status {
    case 0: return nil
    case 124, 137: return "timeout"
    default: return "found"
    }
  }
}

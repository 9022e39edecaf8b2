import Foundation

/// Records ten mistakes in Harbor's features, and counts the written tests that repeat their session.
struct PlantedFaults: Command {
  static let name = "planted-faults"
  static let summary = "counts the tests of recordings that repeat a mistake"
  static let help = """
    USAGE: Scripts/devtools planted-faults [OPTION OF `swift build`]...
    Records the sessions of ten mistakes that are planted in Harbor's features, writes a test from
    each file alone, and runs the tests. A test repeats its session if it crashes or has the wrong
    state too.
    Exit status: 0 if nine or more sessions are repeated, 1 if not.

    """

  private struct Fault {
    let number: String
    let kind: String
    let feature: String
  }

  private let options: [String]
  private let harbor: [String]
  private let rings: String
  private let written = "Examples/Harbor/Tests/PlantedFaults/Written"
  private let environment: [String: String]

  static func lock(_ words: [String]) -> String? { "both" }

  static func run(_ words: [String]) throws -> Int32 {
    try Interruption.withTemporaryFolder { try PlantedFaults(words, rings: $0).run() ? 0 : 1 }
  }

  private init(_ words: [String], rings: String) throws {
    self.rings = rings
    options = ["--scratch-path", ".build/both", "--disable-build-manifest-caching"] + words
    harbor = ["--package-path", "Examples/Harbor"] + options
    // The other tests are not needed, and take minutes to build.
    let omitted = try Manifest.read("Examples/Harbor").targets.filter { $0.type == .test }
      .map(\.name)
    environment = [
      "CAUSEWAY_PLANTED_FAULTS": "1", "OMITTED_TESTS": omitted.joined(separator: " "),
    ]
  }

  private func run() throws -> Bool {
    let files = FileManager.default
    Interruption.remove(written)
    try? files.removeItem(atPath: written)
    try files.createDirectory(atPath: written, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: written) }
    try "import Testing\n".write(
      toFile: "\(written)/Empty.swift", atomically: true, encoding: .utf8)
    try SwiftPackages.build(
      options + ["--product", "causeway-recording"], environment: environment)
    try SwiftPackages.build(harbor + ["--product", "PlantedRecorder"], environment: environment)
    let programs = try SwiftPackages.programs(options)
    let faults = try Shell.output(["\(programs)/PlantedRecorder"]).split(separator: "\n").map {
      let fields = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 3 else { throw Failure("PlantedRecorder prints: \($0)") }
      return Fault(number: fields[0], kind: fields[1], feature: fields[2])
    }
    let survived = try faults.filter { try !record($0, programs) }.map(\.number)
    let uncompiled = try buildTests()
    var repeated = 0
    for fault in faults {
      if uncompiled.contains(fault.number) {
        say("fault \(fault.number) (\(fault.kind)): its test does not compile")
        continue
      }
      let outcome = try outcome(of: fault)
      if survived.contains(fault.number) {
        say(
          "fault \(fault.number) (\(fault.kind)): its session did not crash, so a test has nothing "
            + "to repeat")
        continue
      }
      if outcome == "repeats" { repeated += 1 }
      say("fault \(fault.number) (\(fault.kind)): its test \(outcome) the session")
    }
    say("\(repeated) of \(faults.count) sessions are repeated by a test from their file alone.")
    return repeated >= 9
  }

  /// Records a session and writes its test; returns false if the session did not fail, so its test
  /// would prove nothing.
  private func record(_ fault: Fault, _ programs: String) throws -> Bool {
    let ring = "\(rings)/\(fault.number)"
    let recording = try Shell.run(
      ["timeout", "60", "\(programs)/PlantedRecorder", fault.number, ring],
      output: .readWithErrors, environment: environment)
    let test = try Shell.output(
      [
        "\(programs)/causeway-recording", "test", ring, "--feature", fault.feature, "--module",
        "HarborDomain", "--module", "HarborFeatures", "--module", "PlantedFaults",
      ], environment: environment)
    // Several tests can have the same name, so each is in a suite of its own.
    var suite = ""
    for line in test.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("@MainActor @Test") { suite += "@Suite struct Fault\(fault.number) {\n" }
      suite += "\(line)\n"
    }
    if suite.contains("@Suite") { suite += "}\n" }
    try suite.write(
      toFile: "\(written)/Fault\(fault.number).swift", atomically: true, encoding: .utf8)
    return fault.kind != "crash" || recording.status > 128
  }

  /// Builds the tests without those that do not compile; returns the numbers of these.
  private func buildTests() throws -> Set<String> {
    let tests = harbor + ["--build-tests"]
    let result = try Shell.run(
      ["swift", "build"] + tests, output: .readWithErrors, environment: environment)
    if result.isSuccess { return [] }
    say(result.output)
    let uncompiled = Self.uncompiled(in: result.output)
    guard !uncompiled.isEmpty else { throw Failure("the build fails") }
    for number in uncompiled {
      try FileManager.default.removeItem(atPath: "\(written)/Fault\(number).swift")
    }
    try SwiftPackages.build(tests, environment: environment)
    return uncompiled
  }

  /// The numbers of the faults whose tests have errors in the output of a build.
  static func uncompiled(in output: String) -> Set<String> {
    Set(output.matches(of: /\/Written\/Fault([0-9]+)\.swift:[0-9:]+ error:/).map { String($0.1) })
  }

  private func outcome(of fault: Fault) throws -> String {
    let filter = "PlantedFaultTests.Fault\(fault.number)/"
    let result = try Shell.run(
      ["timeout", "120", "swift", "test"] + harbor
        + ["--skip-build", "--disable-xctest", "--filter", filter],
      output: .readWithErrors, environment: environment)
    if result.output.contains("is not in the recording as a whole") {
      return "says what is hidden, and does not repeat"
    }
    let repeats =
      fault.kind == "crash"
      ? result.output.contains("unexpected signal code")
      : result.isSuccess && result.output.contains(/1\ test\ .*passed/)
    return repeats ? "repeats" : "does not repeat"
  }
}

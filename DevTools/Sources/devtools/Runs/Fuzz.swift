import Foundation

/// Runs the parsers of external data with random input, and reports the first input that fails.
enum Fuzz: Command {
  static let name = "fuzz"
  static let summary = "runs the parsers of external data with random input"
  static let help = """
    USAGE: Scripts/devtools fuzz [TARGET]...    targets: events, rows and harbor; all by default
    Runs the parsers of external data with random input, and reports the first input that fails.

    SECONDS_EACH  the seconds for which each target runs, 60 by default
    Exit status: 0 if no input failed, 1 if one failed, 2 if the targets could not run. Inputs that
    fail are stored in .build/fuzz/.

    """

  static func lock(_ words: [String]) -> String? { "fuzz" }

  static func run(_ words: [String]) throws -> Int32 {
    let seconds = variable("SECONDS_EACH") ?? "60"
    guard let number = Int(seconds), number > 0 else {
      throw Failure("fuzz: SECONDS must be a number of seconds, not \"\(seconds)\"")
    }
    let targets = ["events", "rows", "harbor"]
    for word in words where !targets.contains(word) {
      throw Failure("fuzz: the targets are events, rows and harbor, not \"\(word)\"")
    }
    let build = FileManager.default.currentDirectoryPath + "/.build"
    var options = [
      "-c", "release", "--package-path", "Fuzzing", "--scratch-path", "\(build)/fuzzing",
      "--product", "fuzz", "-Xswiftc", "-sanitize=fuzzer",
    ]
    #if os(Linux)
      // The default linker fails with an internal error when it links the instrumented modules.
      options += ["-Xswiftc", "-use-ld=lld"]
    #endif
    try SwiftPackages.build(options)
    // `allSatisfy` would stop at the first failure, but all targets must run.
    let passed = try (words.isEmpty ? targets : words).map {
      try fuzz($0, seconds, "\(build)/fuzzing/release/fuzz", "\(build)/fuzz")
    }
    return passed.contains(false) ? 1 : 0
  }

  private static func fuzz(
    _ target: String, _ seconds: String, _ program: String, _ found: String
  ) throws -> Bool {
    try FileManager.default.createDirectory(
      atPath: "\(found)/\(target)", withIntermediateDirectories: true)
    let log = "\(found)/\(target).log"
    try "".write(toFile: log, atomically: true, encoding: .utf8)
    // Swift's own crash handler is off, so libFuzzer handles crashes and stores the input.
    let result = try Shell.run(
      [
        program, target, "-max_total_time=\(seconds)", "-timeout=10", "-max_len=2048",
        "-rss_limit_mb=2048", "-print_final_stats=1", "-artifact_prefix=\(found)/\(target)-",
        "\(found)/\(target)", "Fuzzing/Corpus/\(target)",
      ], log: log, environment: ["SWIFT_BACKTRACE": "enable=no"])
    let output = String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
    if result.isSuccess {
      let units = output.firstMatch(of: /stat::number_of_executed_units: *([0-9]+)/)
      say("ok    \(target): inputs tried: \(units?.1 ?? "unknown")")
      return true
    }
    let input = output.firstMatch(of: /artifact_prefix=.*Test unit written to (.*)/)
    say("FAIL  \(target): see \(log)")
    say("      reproduce: \(program) \(target) \(input?.1 ?? "INPUT")")
    return false
  }
}

import Foundation

/// Simulates the same seeds in several processes, and compares their steps.
enum Replays: Command {
  static let name = "replays"
  static let summary = "compares the steps of the same seeds in several processes"
  static let help = """
    USAGE: Scripts/devtools replays [COUNT] [OPTION OF `swift build`]...      100 processes
    Simulates the same seeds in several processes. The first process writes its steps to
    .build/replays. If another process takes other steps, the output names the first step that
    differs. For Harbor's worlds, it only says that they differ.

    SIMULATE_WORLD  the only world to simulate
    Exit status: 0 when all processes took the same steps, 1 if not, 2 when they could not run.

    """

  static func lock(_ words: [String]) -> String? { "both" }

  static func run(_ words: [String]) throws -> Int32 {
    guard let count = Int(words.first ?? "100"), count > 0 else {
      throw Failure("replays: COUNT must be a number from 1 on, not \"\(words[0])\"")
    }
    let options =
      ["--scratch-path", ".build/both", "--disable-build-manifest-caching"] + words.dropFirst()
    let folder = FileManager.default.currentDirectoryPath + "/.build/replays"
    try Files.clear(folder)
    try SwiftPackages.buildTests(options)
    var log: [String: Int] = [:]
    for _ in 0..<count {
      for package in SwiftPackages.tested {
        // The standard library reads the order of tables only when a process starts.
        let result = try Shell.run(
          [
            "swift", "test", "--package-path", package, "--skip-build", "--disable-xctest",
            "--filter", "(Simulation|Harbor)Traces",
          ] + options, output: .readWithErrors,
          environment: ["SWIFT_DETERMINISTIC_HASHING": "1", "SIMULATE_TRACES": folder])
        guard result.isSuccess else {
          say(result.output)
          // A difference in an earlier process is often the cause.
          show(log)
          return 1
        }
        for line in result.lines where line.starts(with: /(?:trace of|difference in)\ /) {
          log[line, default: 0] += 1
        }
      }
    }
    guard !log.isEmpty else {
      throw Failure(
        "no world was simulated. SIMULATE_WORLD must be the name of a world or empty.")
    }
    show(log)
    // Each seed must have one line, which all processes have printed.
    guard log.values.allSatisfy({ $0 == count }) else {
      say("Some seeds took different steps in different processes.", to: .standardError)
      return 1
    }
    say("All seeds took the same steps in \(count) processes.")
    return 0
  }

  private static func show(_ log: [String: Int]) {
    for (line, count) in log.sorted(by: { $0.key < $1.key }) { say("\(count) \(line)") }
  }
}

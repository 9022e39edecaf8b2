import Foundation

/// Runs the suites of the runtime and of the test kit repeatedly, and stops at the first failure.
enum Flake: Command {
  static let name = "flake"
  static let summary = "runs the tests of the runtime and the test kit 200 times"
  static let help = """
    USAGE: Scripts/devtools flake [COUNT]      200 by default
    Runs the suites of the runtime and of the test kit repeatedly, and stops at the first failure. An
    optimised build runs more interleavings in the same time.

    LOAD  1 keeps all other cores busy, with one process for each
    Exit status: 0 when every run passed, 1 when one failed, 2 when nothing has run.

    """

  static func lock(_ words: [String]) -> String? { "flake" }

  static func run(_ words: [String]) throws -> Int32 {
    guard let count = Int(words.first ?? "200"), count > 0, words.count <= 1 else {
      throw Failure("flake: COUNT must be a number from 1 on, not \"\(words[0])\"")
    }
    let options = [
      "--scratch-path", ".build/flake", "--disable-build-manifest-caching", "-c", "release",
      "-Xswiftc", "-enable-testing",
    ]
    try SwiftPackages.build(["--build-tests"] + options)
    var load: [Child] = []
    defer {
      for child in load { kill(child.process, SIGTERM) }
    }
    if variable("LOAD") == "1" {
      for _ in try 1..<Shell.cores() {
        load.append(try Shell.start(["sh", "-c", "while :; do :; done"]))
      }
    }
    let command =
      ["swift", "test", "--skip-build"] + options
      + ["--disable-xctest", "--filter", "^(CausewayTests|CausewayTestingTests)\\."]
    let log = ".build/flake.log"
    for run in 1...count {
      try "".write(toFile: log, atomically: true, encoding: .utf8)
      let result = try Shell.run(command, log: log)
      let lines = try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: "\n")
      guard result.isSuccess else {
        for line in lines.filter({ $0.contains("✘") || $0.contains("error:") }).prefix(20) {
          say(line)
        }
        say("Run \(run) of \(count) failed; all of its output is in \(log).", to: .standardError)
        return 1
      }
      guard lines.contains(where: { $0.contains(/Test run with [1-9]/) }) else {
        throw Failure("no test has run; all of the output is in \(log)")
      }
      if run % 20 == 0 { say("\(run) of \(count) runs have passed.") }
    }
    say("\(count) of \(count) runs passed.")
    return 0
  }
}

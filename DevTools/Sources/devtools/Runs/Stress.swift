/// Builds and runs the stress program: Harbor and the data layer under random use on all cores.
enum Stress: Command {
  static let name = "stress"
  static let summary = "uses Harbor and the data layer at random on all cores"
  static let help = """
    USAGE: Scripts/devtools stress [OPTION OF `swift build`]...
    Builds and runs the stress program: Harbor and the data layer under random use on all cores.

    STRESS_SECONDS  the seconds of all worlds together, 600 by default
    STRESS_SEED     the seed of the random use; a random one by default
    STRESS_WORLD    six, harbor, stops, accounts or library; all of them by default
    Exit status: 0 if nothing was stuck and no acknowledged action was lost.

    """

  static func lock(_ words: [String]) -> String? { "both" }

  static func run(_ words: [String]) throws -> Int32 {
    let options =
      [
        "--package-path", "Examples/Harbor", "--scratch-path", ".build/both",
        "--disable-build-manifest-caching",
      ] + words
    for product in ["StressProgram", "harbor"] {
      try SwiftPackages.build(options + ["--product", product])
    }
    // The program replaces the tool, so it receives the signals, and prints its stacks if it is
    // stuck.
    try Shell.become(SwiftPackages.programs(options) + "/StressProgram")
  }
}

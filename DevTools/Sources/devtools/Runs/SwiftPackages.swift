import Foundation

/// The packages of the repository whose tests run together.
enum SwiftPackages {
  /// The packages with tests, which share one build.
  static let tested = [".", "Examples/Harbor"]

  /// The options of the build that the checks and the tests share.
  static func strictOptions() throws -> [String] {
    try Shell.output(["Scripts/strict-options"]).split { $0.isWhitespace }.map(String.init)
  }

  /// Builds the tests of packages.
  ///
  /// - Throws: `Failure` if one does not build. Its output says why.
  static func buildTests(of packages: [String] = tested, _ options: [String]) throws {
    for package in packages {
      try build(["--package-path", package, "--build-tests"] + options)
    }
  }

  /// Runs `swift build`.
  ///
  /// - Throws: `Failure` if it fails. Its output says why.
  static func build(_ options: [String], environment: [String: String] = [:]) throws {
    guard try Shell.run(["swift", "build"] + options, environment: environment).isSuccess else {
      throw Failure("the build fails")
    }
  }

  /// Builds a nested package, and prints nothing but its problems, each once.
  ///
  /// - Throws: `Failure` if it does not build.
  static func build(_ package: String, _ options: [String]) throws {
    let result = try Shell.run(
      ["swift", "build", "--package-path", package] + options, output: .readWithErrors)
    guard !result.isSuccess else { return }
    let problems = Set(result.lines).filter {
      $0.contains(/^[^\ ].*(error|warning):/) || $0.contains("undefined reference")
    }
    say(problems.isEmpty ? result.output : problems.sorted().joined(separator: "\n"))
    throw Failure("\(package) does not build")
  }

  /// The folder of the programs of a build.
  static func programs(_ options: [String]) throws -> String {
    try Shell.word(["swift", "build", "--show-bin-path"] + options)
  }
}

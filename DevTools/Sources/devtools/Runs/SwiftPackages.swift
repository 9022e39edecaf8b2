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
  static func build(_ options: [String]) throws {
    guard try Shell.run(["swift", "build"] + options).isSuccess else {
      throw Failure("the build fails")
    }
  }

  /// The folder of the programs of a build.
  static func programs(_ options: [String]) throws -> String {
    try Shell.word(["swift", "build", "--show-bin-path"] + options)
  }
}

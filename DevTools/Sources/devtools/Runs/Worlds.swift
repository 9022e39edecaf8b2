import Foundation

/// Prints the names of the worlds of `make simulate`.
enum Worlds: Command {
  static let name = "worlds"
  static let summary = "prints the worlds of make simulate"
  static let help = """
    USAGE: Scripts/devtools worlds [WORLD]
    Prints the names of the worlds of `make simulate` in one line, or the folder of the package of a
    world. The names of Harbor's worlds, which are in its package, begin with "harbor".
    Exit status: 0 if there is a world.

    """

  static func run(_ words: [String]) throws -> Int32 {
    print(try words.first.map(package) ?? names().joined(separator: " "))
    return 0
  }

  /// The worlds of both packages.
  static func names() throws -> [String] {
    let files = [
      "Tests/CausewaySimulationTests/SimulationCampaign.swift",
      "Examples/Harbor/Tests/HarborSimulationTests/HarborCampaign.swift",
    ]
    let names = try files.flatMap {
      self.names(in: try String(contentsOfFile: $0, encoding: .utf8))
    }
    guard !names.isEmpty else { throw Failure("the campaign has no world") }
    return names
  }

  /// The cases of the enums in a source.
  static func names(in source: String) -> [String] {
    source.components(separatedBy: "\n")
      .compactMap { $0.wholeMatch(of: /\ *case ([a-zA-Z, ]*)/)?.1 }
      .flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }
  }

  /// The folder of the package that has a world.
  static func package(of world: String) -> String {
    world.hasPrefix("harbor") ? "Examples/Harbor" : "."
  }
}

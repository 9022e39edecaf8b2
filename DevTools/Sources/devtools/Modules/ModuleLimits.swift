/// Checks that the parts of the data layer and the exploration stay small to use.
enum ModuleLimits: Command {
  static let name = "module-limits"
  static let summary = "checks that each part of the data layer can be used alone"
  static let help = """
    USAGE: Scripts/devtools module-limits [--list]    --list prints the lines of the exploration

    Checks that each part of the data layer can be used alone. Also checks how much a package compiles
    that uses the exploration alone.
    Exit status: 0 if each part can be used alone, and the exploration has not grown.

    """

  // These parts import nothing but the floor of the data layer, and no part links a system library.
  private static let alone = ["CausewayDatabase", "CausewayNetwork"]
  private static let parts = alone + ["CausewayStores", "CausewaySync", "CausewayData"]
  private static let floor = ["CausewayBasics", "CausewaySystem"]

  // A package that has nothing else of Causeway compiles these modules, and at most this number of
  // lines. A clean debug build takes 14 s longer with them on two cores of an AMD EPYC, and the
  // goal is 15 s. Code that other modules share belongs in a module above these.
  private static let explored = ["CausewayExploration", "CausewaySystem", "CSimulatedSystem"]
  private static let limit = 5600

  static func run(_ words: [String]) throws -> Int32 {
    let manifest = try Manifest.read()
    var problems = problems(in: manifest)
    var count = 0
    for case let path? in explored.map({ manifest.target($0)?.path }) {
      for file in Files.paths(below: [path], extensions: ["swift", "c", "h"]) {
        count += try Files.lines(file).count
      }
    }
    if words == ["--list"] { print("a client of the exploration alone: \(count) lines") }
    if count > limit {
      problems.append(
        "A client of the exploration alone compiles \(count) lines, more than \(limit)")
    }
    for problem in problems { print(problem) }
    return problems.isEmpty ? 0 : 1
  }

  /// The dependencies that a part must not have, one a line.
  static func problems(in manifest: Manifest) -> [String] {
    var problems: [String] = []
    for part in parts {
      if manifest.target(part) == nil { problems.append("\(part) is not in the manifest") }
      for target in manifest.closure(of: part) {
        for library in manifest.uses(target) where library.type == .system {
          problems.append(
            "\(part) links \(library.pkgConfig ?? library.name), because of \(target.name)")
        }
        if alone.contains(part), target.type != .system, !([part] + floor).contains(target.name) {
          problems.append("\(part) depends on \(target.name)")
        }
      }
    }
    let client = "CausewayExploration"
    for target in manifest.closure(of: client) where !explored.contains(target.name) {
      problems.append("\(client) depends on \(target.name)")
    }
    return problems
  }
}

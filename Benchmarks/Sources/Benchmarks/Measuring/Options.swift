import Foundation

/// The command line: `[FILTER] [--json FILE] [--no-floors] [--scale N]`,
/// or `--memory SCENARIO`.
struct Options {
  /// Selects the lines whose names contain this text.
  let filter: String?
  /// The file to which the lines are written as JSON.
  let json: URL?
  /// Whether floors are measured.
  ///
  /// Without floors, a profile shows only the work.
  let measuresFloors: Bool
  /// Divides the number of operations, for a program that counts each instruction.
  let scale: Int
  /// The scenario of a child process, whose peak memory is measured alone.
  let memory: String?

  /// Reads the arguments; ends the process when a value is missing.
  init() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    memory = Self.value(of: "--memory", "the name of a scenario", &arguments)
    json = Self.value(of: "--json", "a file to write to", &arguments).map {
      URL(fileURLWithPath: $0)
    }
    scale = Self.value(of: "--scale", "a number", &arguments).flatMap { Int($0) } ?? 1
    measuresFloors = !arguments.contains("--no-floors")
    arguments.removeAll { $0 == "--no-floors" }
    filter = arguments.first
  }

  private static func value(
    of option: String, _ what: String, _ arguments: inout [String]
  ) -> String? {
    guard let index = arguments.firstIndex(of: option) else { return nil }
    guard arguments.indices.contains(index + 1) else {
      print("\(option) needs \(what)")
      exit(64)
    }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
  }
}

extension Bench {
  /// Makes a measurement with the options of the command line.
  init(_ options: Options) {
    filter = options.filter
    measuresFloors = options.measuresFloors
    scale = options.scale
    if scale > 1 { repetitions = 1 }
  }

  /// Writes the lines to the file of `--json`, if there is one.
  func writeRows(_ options: Options) throws {
    if let json = options.json { try Row.write(rows, to: json) }
  }
}

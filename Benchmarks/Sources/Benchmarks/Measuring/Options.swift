import Foundation

/// What the command line asks for: `[FILTER] [--json FILE] [--no-floors]`, or `--memory SCENARIO`.
struct Options {
  /// Only the lines whose names contain it.
  let filter: String?
  /// Where the lines are written for programs to read.
  let json: URL?
  /// Off for profiling, so that only the work is seen.
  let measuresFloors: Bool
  /// What a child process runs so that its peak memory is its own.
  let memory: String?

  /// Reads the arguments; ends the process when a value is missing.
  init() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    memory = Self.value(of: "--memory", "the name of a scenario", &arguments)
    json = Self.value(of: "--json", "a file to write to", &arguments).map {
      URL(fileURLWithPath: $0)
    }
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
  /// Measures as the command line asks for.
  init(_ options: Options) {
    filter = options.filter
    measuresFloors = options.measuresFloors
  }

  /// Writes the lines where the command line asks for it.
  func writeRows(_ options: Options) throws {
    if let json = options.json { try Row.write(rows, to: json) }
  }
}

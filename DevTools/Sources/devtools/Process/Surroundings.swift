import Foundation

/// A variable of the environment; nil if it is empty.
func variable(_ name: String) -> String? {
  ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
}

/// Prints a line at once; `print` keeps it while the output is a pipe.
func say(_ line: String, to handle: FileHandle = .standardOutput) {
  fflush(nil)
  handle.write(Data("\(line)\n".utf8))
}

extension Shell {
  /// The number of processor cores.
  static func cores() throws -> Int { try Int(word(["getconf", "_NPROCESSORS_ONLN"])) ?? 1 }

  /// The output of a program without the space around it.
  static func word(_ command: [String]) throws -> String {
    try output(command).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs a program that adds its output and its errors to a file.
  static func run(
    _ command: [String], log: String, environment: [String: String] = [:], in folder: String? = nil
  ) throws -> Result {
    try run(logged(command, log), environment: environment, in: folder)
  }

  /// A command that adds the output and the errors of another command to a file.
  static func logged(_ command: [String], _ log: String) -> [String] {
    ["sh", "-c", "exec \"$@\" >>\"$0\" 2>&1", log] + command
  }
}

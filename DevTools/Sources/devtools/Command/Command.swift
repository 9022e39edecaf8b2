/// A command of the tool, which runs in the root of the repository.
protocol Command: Sendable {
  /// Its name on the command line.
  static var name: String { get }
  /// What it does, in a few words.
  static var summary: String { get }
  /// Its usage, its environment and its exit status. Ends with a line break.
  static var help: String { get }
  /// Runs the command with the words after its name; returns the exit status.
  static func run(_ words: [String]) throws -> Int32
}

/// Why a command could not do its work.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

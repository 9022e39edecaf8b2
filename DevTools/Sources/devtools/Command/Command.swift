/// A command of the tool, which runs in the root of the repository.
protocol Command: Sendable {
  /// The name of the command on the command line.
  static var name: String { get }
  /// The purpose of the command, in a few words.
  static var summary: String { get }
  /// The usage, the environment and the exit status of the command. Ends with a line break.
  static var help: String { get }
  /// The name of the lock that the command needs with these words; nothing by default.
  ///
  /// Commands that write to the same folder have the same lock.
  static func lock(_ words: [String]) -> String?
  /// Runs the command with the words after its name; returns the exit status.
  static func run(_ words: [String]) throws -> Int32
}

extension Command {
  static func lock(_ words: [String]) -> String? { nil }
}

/// The reason why a command failed.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

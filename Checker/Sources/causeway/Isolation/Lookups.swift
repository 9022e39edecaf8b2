import Synchronization

/// The types and functions of its module whose texts the check of a file has read.
final class Lookups: Sendable {
  /// Stands for all names, for code that looks through all types.
  static let everything = "*"
  private let noted = Mutex<Set<String>>([])

  func note(_ name: String) { noted.withLock { _ = $0.insert(name) } }

  var names: Set<String> { noted.withLock { $0 } }

  /// The name of a function outside types, which can be that of a type too.
  static func function(_ name: String) -> String { "func " + name }
}

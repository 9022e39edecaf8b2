import Synchronization

/// The names that the check of a file has looked up in its module.
///
/// The check of a file has to be repeated if a result has changed, even if the result was that
/// there is no such type or function.
final class Lookups: Sendable {
  struct Names: Equatable, Sendable {
    /// The types and functions whose texts the check has read, and the sets of names that it has
    /// read.
    var texts: Set<String> = []
    /// The names of types whose heads the check has read.
    var heads: Set<String> = []
  }

  /// Stands for all texts, for code that looks through all types.
  static let everything = "*"
  private let noted = Mutex(Names())

  func note(text name: String) { noted.withLock { _ = $0.texts.insert(name) } }

  func note(head name: String) { noted.withLock { _ = $0.heads.insert(name) } }

  var names: Names { noted.withLock { $0 } }

  /// The name of the text of a function outside types, which can have the name of a type.
  static func function(_ name: String) -> String { "func " + name }
}

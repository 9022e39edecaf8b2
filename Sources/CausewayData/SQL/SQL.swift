/// A statement and the values that it binds.
///
/// Written as a string literal; whatever is interpolated is bound, never spliced into the text:
///
/// ```swift
/// let query: SQL = "SELECT * FROM activity WHERE title LIKE \(pattern)"
/// let newest = SQL("\(query) ORDER BY created DESC LIMIT \(20)")
/// ```
///
/// A `String` does not become an `SQL` at run time, except by ``init(unchecked:)``. So text from
/// outside is never a statement by accident.
public struct SQL: Sendable, Hashable {
  /// The statement with a `?` for each bound value, as SQLite reads it.
  public private(set) var text: String

  /// The bound values, in the order of their placeholders.
  public private(set) var bindings: [SQLValue]

  /// Where the placeholders are in `text`, in UTF-8 offsets.
  private var placeholders: [Int]

  /// Makes a statement of any text, without bound values.
  ///
  /// Only for text that the program itself has composed or that a developer has written, such as a
  /// script in a resource file. A value from outside in the text can change what the statement does.
  public init(unchecked text: String) {
    self.init(text: text)
  }

  init(text: String) {
    self.text = text
    bindings = []
    placeholders = []
  }

  /// The statement with `$1`, `$2`, … for the bound values, as PostgreSQL reads it.
  ///
  /// - Complexity: O(length of the text).
  public var numberedText: String {
    let bytes = text.utf8
    var result = ""
    var start = bytes.startIndex
    for (number, offset) in placeholders.enumerated() {
      let placeholder = bytes.index(bytes.startIndex, offsetBy: offset)
      result += text[start..<placeholder]
      result += "$\(number + 1)"
      start = bytes.index(after: placeholder)
    }
    return result + text[start...]
  }

  /// Whether a database takes the two for the same: equal strings of Swift need not have the same
  /// bytes, and numbers that are none are equal to nothing.
  ///
  /// - Complexity: O(*n*) in the size of the text and the bindings.
  func hasSameBytes(as other: SQL) -> Bool {
    text.utf8.elementsEqual(other.text.utf8) && bindings.count == other.bindings.count
      && zip(bindings, other.bindings).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  mutating func append(text other: String) {
    text += other
  }

  mutating func append(_ value: SQLValue) {
    placeholders.append(text.utf8.count)
    bindings.append(value)
    text += "?"
  }

  mutating func append(_ other: SQL) {
    let base = text.utf8.count
    placeholders += other.placeholders.map { base + $0 }
    bindings += other.bindings
    text += other.text
  }
}

extension SQL: CustomStringConvertible {
  /// The text without the bound values, which may be private.
  public var description: String { text }
}

extension SQL {
  /// A name as SQL writes it: in double quotes, with those inside doubled.
  package static func quoted(_ name: String) -> String {
    var quoted = "\""
    for character in name.unicodeScalars {
      if character == "\"" { quoted.unicodeScalars.append(character) }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }
}

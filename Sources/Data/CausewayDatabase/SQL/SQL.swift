import CausewaySystem

/// A statement and its bound values.
///
/// Write it as a string literal. Interpolated values are bound, never inserted into the text:
///
/// ```swift
/// let query: SQL = "SELECT * FROM activity WHERE title LIKE \(pattern)"
/// let newest = SQL("\(query) ORDER BY created DESC LIMIT \(20)")
/// ```
///
/// A `String` cannot become an `SQL` at run time, except with ``init(unchecked:)``. So text from
/// outside cannot become a statement by accident.
public struct SQL: Sendable, Hashable {
  /// The statement with a `?` for each bound value, in the syntax of SQLite.
  public private(set) var text: String

  /// The bound values, in the order of their placeholders.
  public private(set) var bindings: [SQLValue]

  /// The UTF-8 offsets of the placeholders in `text`.
  private var placeholders: [Int]

  /// The UTF-8 offsets of the empty lists in `text`.
  private var emptyLists: [Int] = []

  /// Makes a statement from any text, without bound values.
  ///
  /// Use it only for text that the program composes or a developer writes, such as a script in a
  /// resource file. If the text contains a value from outside, that value can change the meaning of
  /// the statement.
  public init(unchecked text: String) {
    self.init(text: text)
  }

  package init(text: String) {
    self.text = text
    bindings = []
    placeholders = []
  }

  /// The statement with `$1`, `$2`, … for the bound values, in the syntax of PostgreSQL.
  ///
  /// - Complexity: O(length of the text).
  public var numberedText: String {
    let bytes = text.utf8
    var result = ""
    var start = bytes.startIndex
    var number = 0
    var lists = emptyLists[...]
    for offset in (placeholders + emptyLists).sorted() {
      let index = bytes.index(bytes.startIndex, offsetBy: offset)
      result += text[start..<index]
      if lists.first == offset {
        lists.removeFirst()
        start = bytes.index(index, offsetBy: Self.emptyList.utf8.count)
        if !result.replaceInByEmptyArray() { result += Self.emptyList }
      } else {
        number += 1
        result += "$\(number)"
        start = bytes.index(after: index)
      }
    }
    return result + text[start...]
  }

  /// Whether a database treats both statements as equal.
  ///
  /// Strings that are equal in Swift may have different bytes, and a NaN does not equal itself.
  ///
  /// - Complexity: O(*n*) in the size of the text and the bindings.
  func hasSameBytes(as other: SQL) -> Bool {
    text.hasSameBytes(as: other.text) && bindings.count == other.bindings.count
      && zip(bindings, other.bindings).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  mutating func reserve(_ length: Int, values: Int) {
    text.reserveCapacity(length + values)
    guard values > 0 else { return }
    bindings.reserveCapacity(values)
    placeholders.reserveCapacity(values)
  }

  mutating func append(text other: String) {
    text += other
  }

  @usableFromInline mutating func append(_ value: SQLValue) {
    placeholders.append(text.utf8.count)
    bindings.append(value)
    text += "?"
  }

  /// A list without elements, in the syntax of SQLite.
  private static let emptyList = "(SELECT NULL WHERE 1 = 0)"

  mutating func appendEmptyList() {
    emptyLists.append(text.utf8.count)
    text += Self.emptyList
  }

  mutating func append(_ other: SQL) {
    let base = text.utf8.count
    placeholders += other.placeholders.map { base + $0 }
    emptyLists += other.emptyLists.map { base + $0 }
    bindings += other.bindings
    text += other.text
  }
}

extension String {
  /// Replaces `IN` or `NOT IN` at the end by a comparison with an empty array.
  ///
  /// PostgreSQL gives the array the type of the value before it. An empty subquery has a type of its
  /// own, which most values cannot be compared with.
  fileprivate mutating func replaceInByEmptyArray() -> Bool {
    func droppingSpace(_ text: Substring) -> Substring {
      text.lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
    }
    func droppingWord(_ word: String, from text: Substring) -> Substring? {
      guard text.suffix(word.count).uppercased() == word else { return nil }
      let start = text.dropLast(word.count)
      // `IN` may be the end of a longer name.
      if let last = start.last, last.isLetter || last.isNumber || "_$\"".contains(last) {
        return nil
      }
      return droppingSpace(start)
    }
    guard let value = droppingWord("IN", from: droppingSpace(self[...])) else { return false }
    if let value = droppingWord("NOT", from: value) {
      self = value + " <> ALL ('{}')"
    } else {
      self = value + " = ANY ('{}')"
    }
    return true
  }
}

extension SQL: CustomStringConvertible {
  /// The text without the bound values, which may be private.
  public var description: String { text }
}

extension SQL {
  /// Returns a name in double quotes, with the quotes inside doubled.
  package static func quoted(_ name: String) -> String {
    var quoted = "\""
    for character in name.unicodeScalars {
      if character == "\"" { quoted.unicodeScalars.append(character) }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }
}

/// Splits the text of a query into words and signs.
///
/// It works on bytes, as SQLite does: a Swift character can combine a quote with a mark after it.
struct QueryScanner {
  enum Kind: Equatable {
    /// A keyword or a name without quotes.
    case word
    /// A name in double quotes.
    case quoted
    case number
    case string
    /// A `?`.
    case binding
    case sign(UInt8)
  }

  struct Token {
    let kind: Kind
    /// The word in lower case, or the name without its quotes.
    let word: String
    let range: Range<Int>
  }

  private let source: [UInt8]
  private let tokens: [Token]
  /// The number of tokens that were read.
  private(set) var position = 0

  /// Returns `nil` if the text has a sign that simple queries do not have.
  init?(_ text: String) {
    let source = Array(text.utf8)
    var tokens: [Token] = []
    var start = 0
    while start < source.count {
      if source[start] == UInt8(ascii: " ") || (9...13).contains(source[start]) {
        start += 1
        continue
      }
      guard let token = Self.token(source, start) else { return nil }
      tokens.append(token)
      start = token.range.upperBound
    }
    self.source = source
    self.tokens = tokens
  }

  var peek: Token? { position < tokens.count ? tokens[position] : nil }
  var isAtEnd: Bool { position == tokens.count }

  mutating func advance() { position += 1 }

  /// The text from a position to the last token that was read.
  func text(from start: Int) -> String {
    guard start < position else { return "" }
    let range = tokens[start].range.lowerBound..<tokens[position - 1].range.upperBound
    return String(decoding: source[range], as: UTF8.self)
  }

  mutating func skip(word: String) -> Bool {
    guard let token = peek, token.kind == .word, token.word == word else { return false }
    advance()
    return true
  }

  mutating func skip(sign: Unicode.Scalar) -> Bool {
    guard peek?.kind == .sign(UInt8(ascii: sign)) else { return false }
    advance()
    return true
  }

  /// Reads the name of a table or a column.
  mutating func name() -> String? {
    guard let token = peek, token.kind == .quoted || token.kind == .word else { return nil }
    if token.kind == .word, Self.structure.contains(token.word) { return nil }
    advance()
    return token.word
  }

  /// Words that are not taken for names, because SQL can read them as keywords.
  ///
  /// A table can have a column with one of these names, so a lookup in the schema cannot replace
  /// this list.
  private static let structure: Set = [
    "all", "and", "as", "asc", "between", "by", "case", "cast", "collate", "cross",
    "current_date", "current_time", "current_timestamp", "desc", "distinct", "else", "end",
    "escape", "except", "exists", "filter", "from", "full", "glob", "group", "having", "in",
    "indexed", "inner", "intersect", "into", "is", "isnull", "join", "left", "like", "limit",
    "match", "natural", "not", "notnull", "null", "nulls", "offset", "on", "or", "order", "outer",
    "over", "partition", "raise", "regexp", "right", "select", "then", "union", "using", "values",
    "when", "where", "window", "with",
  ]

  private static func token(_ source: [UInt8], _ start: Int) -> Token? {
    func token(_ kind: Kind, until end: Int, _ word: String = "") -> Token {
      Token(kind: kind, word: word, range: start..<end)
    }
    let first = source[start]
    let second = start + 1 < source.count ? source[start + 1] : 0
    switch Unicode.Scalar(first) {
    case "'":
      return endOfQuotes(source, start).map { token(.string, until: $0) }
    case "\"":
      guard let end = endOfQuotes(source, start) else { return nil }
      let name = source[start + 1..<end - 1]
      // Names with quotes or with letters beyond ASCII are rare, so they are not supported.
      guard name.allSatisfy({ $0 < 0x80 && $0 != first && $0 != 0 }) else { return nil }
      return token(.quoted, until: end, String(decoding: name, as: UTF8.self))
    case "?":
      // A number after `?` selects a value by its position.
      return isDigit(second) ? nil : token(.binding, until: start + 1)
    case "-" where second == UInt8(ascii: "-") || second == UInt8(ascii: ">"): return nil
    case "/" where second == UInt8(ascii: "*"): return nil
    case "(", ")", ",", "*", "=", "<", ">", "!", "+", "-", "/", "%", "|", "&", "~":
      return token(.sign(first), until: start + 1)
    default:
      guard isLetter(first) || isDigit(first) else { return nil }
      let end = source[start...].firstIndex {
        !isLetter($0) && !isDigit($0) && !(isDigit(first) && $0 == UInt8(ascii: "."))
      }
      if isDigit(first) { return token(.number, until: end ?? source.count) }
      // SQLite also accepts these characters in a name.
      if let end, source[end] >= 0x80 || source[end] == UInt8(ascii: "$") { return nil }
      let word = String(decoding: source[start..<(end ?? source.count)], as: UTF8.self)
      return token(.word, until: end ?? source.count, word.lowercased())
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// The position after a text in quotes; doubled quotes belong to the text.
  private static func endOfQuotes(_ source: [UInt8], _ start: Int) -> Int? {
    var index = start + 1
    while index < source.count {
      if source[index] == source[start] {
        guard index + 1 < source.count, source[index + 1] == source[start] else { return index + 1 }
        index += 1
      }
      index += 1
    }
    return nil
  }
}

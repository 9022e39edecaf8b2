public import CausewayDatabase
import Foundation

extension FullTextIndex {
  /// Returns a query for the rows that match a pattern, with the best match first.
  ///
  /// ```swift
  /// let query = search.matches(
  ///   pattern, selecting: [search.highlight("title", as: "marked")], limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The words to find.
  ///   - columns: Additional columns of the result, such as highlights.
  ///   - weights: The weight of a match in each column; 1 for columns without a weight.
  ///   - limit: The largest number of rows; `nil` for all.
  /// - Returns: A query with the table's columns and `columns`, for `rows` and `observe`.
  public func matches(
    _ pattern: FullTextPattern, selecting columns: [SQL] = [], weights: [String: Double] = [:],
    limit: Int? = nil
  ) -> SQL {
    var selected = SQL("\(identifier: table).*")
    for column in columns { selected = "\(selected), \(column)" }
    var query: SQL =
      """
      SELECT \(selected) FROM \(identifier: name)
      JOIN \(identifier: table) ON \(identifier: table).rowid = \(identifier: name).rowid
      WHERE \(condition(pattern)) ORDER BY \(rank(weights: weights))
      """
    if let limit { query = "\(query) LIMIT \(limit)" }
    return query
  }

  /// Returns the rank of a row (BM25).
  ///
  /// A smaller rank is a better match.
  ///
  /// - Parameter weights: The weight of a match in each column; 1 for columns without a weight.
  public func rank(weights: [String: Double] = [:]) -> SQL {
    var arguments = SQL("\(identifier: name)")
    for column in columns { arguments = "\(arguments), \(weights[column] ?? 1)" }
    return "bm25(\(arguments))"
  }

  /// Returns the text of a column with marks around the matching words.
  ///
  /// - Parameters:
  ///   - column: A column of the index.
  ///   - name: The name of the column in the result.
  ///   - start: The mark before a matching word.
  ///   - end: The mark after a matching word.
  public func highlight(
    _ column: String, as name: String, start: String = "**", end: String = "**"
  ) -> SQL {
    """
    highlight(\(identifier: self.name), \(position(of: column)), \(start), \(end)) \
    AS \(identifier: name)
    """
  }

  /// Returns the best matching part of a column's text, with marks around the matching words.
  ///
  /// - Parameters:
  ///   - column: A column of the index.
  ///   - name: The name of the column in the result.
  ///   - words: The largest number of words, from 1 to 64.
  ///   - start: The mark before a matching word.
  ///   - end: The mark after a matching word.
  ///   - omission: The text in place of omitted text.
  public func snippet(
    _ column: String, as name: String, words: Int = 16, start: String = "**", end: String = "**",
    omission: String = "…"
  ) -> SQL {
    precondition((1...64).contains(words), "A snippet has 1 to 64 words.")
    return """
      snippet(\(identifier: self.name), \(position(of: column)), \(start), \(end), \(omission), \
      \(words)) AS \(identifier: name)
      """
  }

  /// The condition for the rows that a pattern matches.
  private func condition(_ pattern: FullTextPattern) -> SQL {
    let index = SQL("\(identifier: name)")
    let words = pattern.words
    if pattern.isPhrase, !words.allSatisfy(tokenizer.indexes) { return contains(pattern.source) }
    let indexed = words.filter(tokenizer.indexes)
    let isPrefix = pattern.isPrefix && words.last.map(tokenizer.indexes) == true
    let expression = pattern.expression(indexed, isPrefix: isPrefix)
    let others = words.isEmpty ? [pattern.source] : words.filter { !tokenizer.indexes($0) }
    var condition: SQL?
    for text in others where !text.isEmpty {
      let part = contains(text)
      condition =
        condition.map { pattern.matchesAny ? "\($0) OR \(part)" : "\($0) AND \(part)" }
        ?? part
    }
    guard let condition else { return "\(index) MATCH \(expression)" }
    if indexed.isEmpty { return condition }
    guard pattern.matchesAny else { return "\(index) MATCH \(expression) AND \(condition)" }
    // SQLite does not support MATCH beside an OR.
    return """
      \(index).rowid IN (SELECT rowid FROM \(index) WHERE \(index) MATCH \(expression)) \
      OR \(condition)
      """
  }

  /// The condition for the rows in which a column contains a text, ignoring case.
  private func contains(_ text: String) -> SQL {
    let text = UnicodeText.folded(text)
    var condition: SQL?
    for column in columns {
      let part: SQL =
        "instr(unicode_fold(\(identifier: table).\(identifier: column)), \(text)) > 0"
      condition = condition.map { "\($0) OR \(part)" } ?? part
    }
    return condition.map { "(\($0))" } ?? "FALSE"
  }

  private func position(of column: String) -> Int {
    guard let position = columns.firstIndex(of: column) else {
      preconditionFailure("The index \(name) has no column \(column).")
    }
    return position
  }
}

/// A search pattern made from a text; every text makes a valid pattern.
///
/// Signs between words are ignored. If a text has only signs, such as an emoji, the search looks
/// for the unchanged text, and reads all rows. An empty text matches nothing.
public struct FullTextPattern: Sendable, Hashable {
  /// The text without white space around it.
  let source: String
  /// The runs of letters and numbers.
  let words: [String]
  let matchesAny: Bool
  let isPhrase: Bool
  /// Whether the last word may be the beginning of a longer word.
  let isPrefix: Bool

  /// Makes a pattern that matches all words of a text, in any order.
  ///
  /// - Parameters:
  ///   - words: The text, for example from a search field.
  ///   - isPrefix: Whether the last word may be the beginning of a longer word.
  public init(allOf words: String, lastIsPrefix isPrefix: Bool = true) {
    self.init(words, isPrefix)
  }

  /// Makes a pattern that matches any word of a text.
  ///
  /// - Parameters:
  ///   - words: The text.
  ///   - isPrefix: Whether the last word may be the beginning of a longer word.
  public init(anyOf words: String, lastIsPrefix isPrefix: Bool = true) {
    self.init(words, isPrefix, matchesAny: true)
  }

  /// Makes a pattern that matches the words of a text as a phrase.
  ///
  /// - Parameters:
  ///   - phrase: The text.
  ///   - isPrefix: Whether the last word may be the beginning of a longer word.
  public init(phrase: String, lastIsPrefix isPrefix: Bool = false) {
    self.init(phrase, isPrefix, isPhrase: true)
  }

  private init(
    _ text: String, _ isPrefix: Bool, matchesAny: Bool = false, isPhrase: Bool = false
  ) {
    source = text.trimmingCharacters(in: .whitespacesAndNewlines)
    words = text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    (self.matchesAny, self.isPhrase, self.isPrefix) = (matchesAny, isPhrase, isPrefix)
  }

  /// The pattern for some of the words in the syntax of FTS5, with all words quoted.
  func expression(_ words: [String], isPrefix: Bool) -> String {
    guard !words.isEmpty else { return "\"\"" }
    let separator = isPhrase ? " + " : matchesAny ? " OR " : " AND "
    return words.map { "\"\($0)\"" }.joined(separator: separator) + (isPrefix ? " *" : "")
  }
}

extension FullTextIndex.Tokenizer {
  /// Whether the index finds a word.
  fileprivate func indexes(_ word: String) -> Bool {
    switch self {
    case .trigrams: word.unicodeScalars.count >= 3
    case .words, .englishStems: !word.unicodeScalars.contains(where: Self.isUnseparated)
    }
  }

  /// Whether a character belongs to a script that does not separate all words, such as Hangul.
  private static func isUnseparated(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Thai and Lao, Tibetan, Myanmar, Hangul, Khmer.
    case 0xE00...0xEFF, 0xF00...0xFFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: true
    // The scripts of East Asia and their compatibility forms; Hangul; wide and narrow forms.
    case 0x2E80...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC: true
    case 0x1AFF0...0x1B16F, 0x20000...0x3FFFF: true
    default: false
    }
  }
}

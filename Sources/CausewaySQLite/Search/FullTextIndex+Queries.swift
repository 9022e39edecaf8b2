public import CausewayData

extension FullTextIndex {
  /// The rows that match a pattern, the best first.
  ///
  /// ```swift
  /// let query = search.matches(
  ///   pattern, selecting: [search.highlight("title", as: "marked")], limit: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The words to find.
  ///   - columns: Columns besides those of the table, such as highlights.
  ///   - weights: How much a match in a column counts; 1 for the columns that are left out.
  ///   - limit: The largest number of rows; `nil` for all.
  /// - Returns: A query over the table's columns and `columns`, for `rows` and `observe`.
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
      WHERE \(identifier: name) MATCH \(pattern.text) ORDER BY \(rank(weights: weights))
      """
    if let limit { query = "\(query) LIMIT \(limit)" }
    return query
  }

  /// How well a row matches: the smaller, the better (BM25).
  ///
  /// - Parameter weights: How much a match in a column counts; 1 for the columns that are left out.
  public func rank(weights: [String: Double] = [:]) -> SQL {
    var arguments = SQL("\(identifier: name)")
    for column in columns { arguments = "\(arguments), \(weights[column] ?? 1)" }
    return "bm25(\(arguments))"
  }

  /// The text of a column with the words that match between marks.
  ///
  /// - Parameters:
  ///   - column: A column of the index.
  ///   - name: The name of the column in the result.
  ///   - start: What is put before a word.
  ///   - end: What is put after it.
  public func highlight(
    _ column: String, as name: String, start: String = "**", end: String = "**"
  ) -> SQL {
    """
    highlight(\(identifier: self.name), \(position(of: column)), \(start), \(end)) \
    AS \(identifier: name)
    """
  }

  /// The part of a column's text that matches best, with the words that match between marks.
  ///
  /// - Parameters:
  ///   - column: A column of the index.
  ///   - name: The name of the column in the result.
  ///   - words: The largest number of words, from 1 to 64.
  ///   - start: What is put before a word that matches.
  ///   - end: What is put after it.
  ///   - omission: What stands for the text that is left out.
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

  private func position(of column: String) -> Int {
    guard let position = columns.firstIndex(of: column) else {
      preconditionFailure("The index \(name) has no column \(column).")
    }
    return position
  }
}

/// What a full-text search looks for, made of any text: it never has a syntax error.
public struct FullTextPattern: Sendable, Hashable {
  /// The pattern as FTS5 reads it, every word quoted.
  let text: String

  /// All words of a text, in any order.
  ///
  /// - Parameters:
  ///   - words: For example the text of a search field. A text without words finds nothing.
  ///   - isPrefix: Whether the last word may be the beginning of a longer one.
  public init(allOf words: String, lastIsPrefix isPrefix: Bool = true) {
    self.init(Self.words(words), joinedBy: " AND ", isPrefix)
  }

  /// Any word of a text.
  ///
  /// - Parameters:
  ///   - words: A text without words finds nothing.
  ///   - isPrefix: Whether the last word may be the beginning of a longer one.
  public init(anyOf words: String, lastIsPrefix isPrefix: Bool = true) {
    self.init(Self.words(words), joinedBy: " OR ", isPrefix)
  }

  /// The words of a text in this order, with nothing between.
  ///
  /// - Parameters:
  ///   - phrase: A text without words finds nothing.
  ///   - isPrefix: Whether the last word may be the beginning of a longer one.
  public init(phrase: String, lastIsPrefix isPrefix: Bool = false) {
    self.init(Self.words(phrase), joinedBy: " + ", isPrefix)
  }

  private init(_ words: [String], joinedBy separator: String, _ isPrefix: Bool) {
    guard !words.isEmpty else {
      text = "\"\""
      return
    }
    text = words.map { "\"\($0)\"" }.joined(separator: separator) + (isPrefix ? " *" : "")
  }

  /// The parts of a text that a tokenizer finds words in.
  private static func words(_ text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}

public import CausewayDatabase

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
      WHERE \(identifier: name) MATCH \(pattern.text) ORDER BY \(rank(weights: weights))
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

  private func position(of column: String) -> Int {
    guard let position = columns.firstIndex(of: column) else {
      preconditionFailure("The index \(name) has no column \(column).")
    }
    return position
  }
}

/// A search pattern made from a text; every text makes a valid pattern.
public struct FullTextPattern: Sendable, Hashable {
  /// The pattern in the syntax of FTS5, with all words quoted.
  let text: String

  /// Makes a pattern that matches all words of a text, in any order.
  ///
  /// - Parameters:
  ///   - words: The text, for example from a search field. A text without words matches nothing.
  ///   - isPrefix: Whether the last word may be the beginning of a longer word.
  public init(allOf words: String, lastIsPrefix isPrefix: Bool = true) {
    self.init(Self.words(words), joinedBy: " AND ", isPrefix)
  }

  /// Makes a pattern that matches any word of a text.
  ///
  /// - Parameters:
  ///   - words: The text. A text without words matches nothing.
  ///   - isPrefix: Whether the last word may be the beginning of a longer word.
  public init(anyOf words: String, lastIsPrefix isPrefix: Bool = true) {
    self.init(Self.words(words), joinedBy: " OR ", isPrefix)
  }

  /// Makes a pattern that matches the words of a text as a phrase.
  ///
  /// - Parameters:
  ///   - phrase: The text. A text without words matches nothing.
  ///   - isPrefix: Whether the last word may be the beginning of a longer word.
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

  /// Returns the runs of letters and numbers in a text.
  private static func words(_ text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}

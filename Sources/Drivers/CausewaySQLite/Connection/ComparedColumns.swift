/// The columns of a table with which a statement compares its bound values.
///
/// A column is included only if the text proves the comparison. The statement must have one table
/// and no subquery. The column must be the left side of `=`, `<>`, `IS` or `IN`, without an
/// operator, a function or a collation.
struct ComparedColumns {
  /// The name of the table; `nil` if the statement has no table or several tables.
  private(set) var table: String?
  /// The column with which each bound value is compared, by the index of the value.
  private(set) var columns: [Int: String] = [:]

  /// - Complexity: O(length of the text).
  init(_ text: String) {
    let tokens = SQLTokens(text).tokens
    // An insertion from a query has two tables.
    guard tokens.count(where: { $0.isWord("select") }) <= 1,
      !tokens.contains(where: { $0.isWord("with") || $0.isWord("insert") || $0.isWord("replace") }),
      let table = Self.table(in: tokens)
    else { return }
    self.table = table
    var (number, index) = (0, 0)
    while index < tokens.count {
      guard let end = Self.listEnd(after: index, in: tokens) else {
        if tokens[index].isSign("?") {
          columns[number] = Self.column(comparedAt: index, in: tokens)
          number += 1
        }
        index += 1
        continue
      }
      let isNot = index > 0 && tokens[index - 1].isWord("not")
      let column = Self.column(
        endingAt: index - (isNot ? 2 : 1), before: end, in: tokens)
      for token in tokens[index..<end] where token.isSign("?") {
        columns[number] = column
        number += 1
      }
      index = end
    }
  }

  /// Returns the index after a list such as `IN (?, ?)` that begins at an index.
  private static func listEnd(after index: Int, in tokens: [SQLTokens.Token]) -> Int? {
    guard tokens[index].isWord("in"), index + 1 < tokens.count, tokens[index + 1].isSign("(") else {
      return nil
    }
    let rest = tokens[(index + 2)...]
    guard let end = rest.firstIndex(where: { !$0.isSign("?") && !$0.isSign(",") }),
      tokens[end].isSign(")")
    else { return nil }
    return end + 1
  }

  private static func table(in tokens: [SQLTokens.Token]) -> String? {
    let froms = tokens.indices.filter { tokens[$0].isWord("from") }
    if tokens.first?.isWord("update") == true {
      guard froms.isEmpty, let set = tokens.firstIndex(where: { $0.isWord("set") }) else {
        return nil
      }
      let hasConflict = tokens.count > 1 && tokens[1].isWord("or")
      return name(tokens[(hasConflict ? 3 : 1)..<max(set, hasConflict ? 3 : 1)])
    }
    guard froms.count == 1, let from = froms.first, tokens[from].depth == 0 else { return nil }
    let rest = tokens[(from + 1)...]
    let end = rest.firstIndex { token in
      ["where", "group", "order", "limit", "returning"].contains(where: token.isWord)
        || token.isSign(";")
    }
    return name(rest[..<(end ?? tokens.endIndex)])
  }

  /// Returns the name of a table; an alias may follow it.
  private static func name(_ tokens: ArraySlice<SQLTokens.Token>) -> String? {
    let names = tokens.filter { !$0.isWord("as") }
    guard (1...2).contains(names.count), names.allSatisfy(\.isName) else { return nil }
    return names.first?.text
  }

  private static func column(
    comparedAt index: Int, in tokens: [SQLTokens.Token]
  ) -> String? {
    var left = index - 1
    if tokens[at: left]?.isWord("is") == true {
      left -= 1
    } else if tokens[at: left]?.isWord("not") == true, tokens[at: left - 1]?.isWord("is") == true {
      left -= 2
    } else {
      let signs = (tokens[at: left - 1], tokens[at: left])
      switch (signs.0?.sign, signs.1?.sign) {
      case ("=", "="), ("!", "="), ("<", ">"): left -= 2
      case ("<", "="), (">", "="): return nil
      case (_, "="): left -= 1
      default: return nil
      }
    }
    return column(endingAt: left, before: index + 1, in: tokens)
  }

  /// Returns the column that ends at an index, if it is the whole left side of a comparison.
  ///
  /// - Parameter right: The index after the comparison.
  private static func column(
    endingAt index: Int, before right: Int, in tokens: [SQLTokens.Token]
  ) -> String? {
    var left = index
    guard let column = tokens[at: left], column.isName else { return nil }
    if tokens[at: left - 1]?.isSign(".") == true { left -= 2 }
    guard let before = tokens[at: left - 1],
      before.isSign("(") || ["where", "and", "or", "not", "when"].contains(where: before.isWord)
    else { return nil }
    if let after = tokens[at: right] {
      let ends = ["and", "or", "order", "limit", "group", "returning", "then"]
      guard after.isSign(")") || after.isSign(";") || ends.contains(where: after.isWord) else {
        return nil
      }
    }
    return column.text
  }
}

extension SQLTokens.Token {
  fileprivate var sign: String? { kind == .sign ? text : nil }
  fileprivate var isName: Bool { kind == .word || kind == .name }
  fileprivate func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}

extension [SQLTokens.Token] {
  /// The token at an index; `nil` before the first and after the last one.
  fileprivate subscript(at index: Int) -> SQLTokens.Token? {
    indices.contains(index) ? self[index] : nil
  }
}

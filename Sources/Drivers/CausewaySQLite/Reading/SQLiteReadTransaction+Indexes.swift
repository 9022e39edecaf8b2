import CausewayDatabase

extension SQLiteReadTransaction {
  /// The conditions of the partial unique indexes over exactly these columns.
  ///
  /// SQLite accepts such an index as a conflict target only together with the index's condition.
  func uniqueConditions(
    of table: String, on columns: [String]
  ) throws(PersistenceError) -> [String] {
    let indexes = try rows(
      """
      SELECT name FROM pragma_index_list(\(table)) WHERE partial AND "unique" ORDER BY name
      """, as: String.self)
    let wanted = Set(columns.map { $0.lowercased() })
    var conditions: [String] = []
    for index in indexes {
      let names = try rows("SELECT name FROM pragma_index_info(\(index))", as: String?.self)
      guard names.count == wanted.count, Set(names.map { $0?.lowercased() ?? "" }) == wanted,
        let text = try row(
          "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = \(index)", as: String.self),
        let condition = Self.condition(ofIndex: text)
      else { continue }
      conditions.append(condition)
    }
    return conditions
  }

  /// Returns the text after the first WHERE outside parentheses.
  private static func condition(ofIndex text: String) -> String? {
    let tokens = SQLTokens(text).tokens
    guard
      let condition = tokens.first(where: {
        $0.depth == 0 && $0.isWord("where")
      })
    else { return nil }
    return String(decoding: Array(text.utf8)[condition.end...], as: UTF8.self)
  }
}

import CSQLite
import CausewayDatabase

/// The statements with which a simple query is followed from commit to commit.
///
/// `all` returns all rows of the query. `one` returns the row with a given row id, if it is a row
/// of the query. After the query's columns, both return the row id and the columns that determine
/// the order.
struct FollowedQuery: Sendable, Equatable {
  /// The table's name in lower case.
  let table: String
  /// The columns whose change gives a row another identity, in lower case.
  let keys: Set<String>
  let order: RowOrder
  /// The number of columns after the query's own columns.
  let addedColumns: Int
  let all: String
  let one: String
}

extension Connection {
  /// Returns how to follow a query with the current schema; `nil` if it must run as a whole.
  func followed(_ query: SimpleQuery) throws(PersistenceError) -> FollowedQuery? {
    let name = query.table.lowercased()
    guard !name.hasPrefix("sqlite_"), try text("PRAGMA encoding") == "UTF-8",
      let columns = try columns(of: name)
    else { return nil }
    let names = Set(columns.map(\.name))
    // Row ids have three names, and a column can have any of them.
    guard let rowID = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) else {
      return nil
    }
    let known = names.union([rowID])
    for item in query.items {
      if let column = item.column, !known.contains(column.lowercased()) { return nil }
      // In a condition or an order, such a name could mean the alias or the column.
      if let alias = item.alias, known.contains(alias.lowercased()) { return nil }
    }
    let terms = query.terms.map { (name: $0.column.lowercased(), isDescending: $0.isDescending) }
    guard query.conditionColumns.isSubset(of: known),
      terms.allSatisfy({ known.contains($0.name) })
    else { return nil }

    let keys = columns.filter { $0.isKey }.map(\.name)
    let alias = keys.count == 1 && columns.allSatisfy(\.hasNoKeyIndex) ? keys[0] : rowID
    let isID = { (name: String) in name == rowID || name == alias }
    // Row ids are unique, so later terms have no effect.
    let before = terms.prefix { !isID($0.name) }
    let last = terms.dropFirst(before.count).first
    for term in before where collation(of: term.name, in: name) != "BINARY" { return nil }
    let table = SQL.quoted(name)
    let added = ([rowID] + before.map { SQL.quoted($0.name) }).joined(separator: ", ")
    let list = "SELECT \(query.list), \(added) FROM \(table) WHERE "
    let condition = query.condition.isEmpty ? "1" : "(\(query.condition))"
    let order =
      before.map { SQL.quoted($0.name) + ($0.isDescending ? " DESC" : "") }
      + [rowID + (last?.isDescending == true ? " DESC" : "")]
    return FollowedQuery(
      table: name, keys: Set(keys).union(["rowid"]),
      order: RowOrder(
        keysDescending: before.map(\.isDescending), idsDescending: last?.isDescending == true),
      addedColumns: before.count + 1,
      all: list + condition + " ORDER BY " + order.joined(separator: ", "),
      one: list + condition + " AND \(rowID) = ?")
  }

  private struct Column: Decodable {
    /// In lower case.
    var name: String
    var isKey: Bool
    /// Whether no index enforces the table's primary key, so the key's column is the row id.
    var hasNoKeyIndex: Bool
  }

  /// The columns of an ordinary table with row ids; `nil` for everything else.
  private func columns(of table: String) throws(PersistenceError) -> [Column]? {
    // A table that resolves conflicts by REPLACE is left out: SQLite does not report the rows that
    // REPLACE deletes.
    let query: SQL = """
      SELECT lower(name) AS name, pk > 0 AS isKey, NOT EXISTS
      (SELECT 1 FROM pragma_index_list(\(table)) WHERE origin = 'pk') AS hasNoKeyIndex
      FROM pragma_table_xinfo(\(table)) WHERE EXISTS
      (SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND lower(name) = \(table)
      AND type = 'table' AND NOT wr)
      AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND lower(name) = \(table)
      AND sql LIKE '%replace%')
      """
    let columns = try SQLiteReadTransaction(self).rows(query, as: Column.self)
    return columns.isEmpty ? nil : columns
  }

  private func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      database, "main", table, column, nil, &name, nil, nil, nil)
    return code == SQLITE_OK ? name.map { String(cString: $0) } : nil
  }
}

import CausewayDatabase

extension PostgresTransaction {
  /// The condition that makes the server find the partial unique indexes over these columns.
  ///
  /// Most upserts use an index of all rows. So this function asks the server only after an upsert
  /// has found no index. The closure then runs again, and its statements do not wait.
  func indexCondition(
    of table: String, on columns: [String]
  ) throws(PersistenceError) -> String? {
    let target = ConflictTarget(table: table, columns: columns)
    guard !mayWait else { return connection.indexConditions[target] }
    let names = SQLValue.text(SQLValue.json(of: columns.map { .text($0) }))
    // A condition that implies the conditions of several indexes selects all of these indexes.
    let condition = try run(
      """
      SELECT string_agg(
        '(' || pg_catalog.pg_get_expr(i.indpred, i.indrelid) || ')', ' AND ' ORDER BY i.indexrelid)
      FROM pg_catalog.pg_index i
      WHERE i.indrelid = pg_catalog.to_regclass($1) AND i.indisunique AND i.indisvalid
      AND i.indpred IS NOT NULL AND i.indexprs IS NULL
      AND (
        SELECT array_agg(a.attname::text ORDER BY a.attname::text COLLATE "C")
        FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = i.indrelid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
      ) = (
        SELECT array_agg(name ORDER BY name COLLATE "C")
        FROM json_array_elements_text($2::json) AS name)
      """, [.text(SQL.quoted(table)), names]
    ).text(0)
    connection.indexConditions[target] = condition
    return condition
  }
}

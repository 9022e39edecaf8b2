import CausewayDatabase
import Foundation

/// The tables that a query reads, from the server's plan.
///
/// The plan also names the tables behind views. It does not name tables that a function reads,
/// unless the server inlines the function.
enum QueryTables {
  static func explanation(of query: SQL) -> (text: String, values: [SQLValue]) {
    ("EXPLAIN (VERBOSE, FORMAT JSON) \(query.numberedText)", query.bindings)
  }

  /// Returns the names of the tables in a plan.
  static func names(inPlan text: String) -> [[String: String]] {
    guard let plan = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return [] }
    var names: [[String: String]] = []
    collect(plan, into: &names)
    return names
  }

  private static func collect(_ value: Any, into names: inout [[String: String]]) {
    if let list = value as? [Any] {
      for element in list { collect(element, into: &names) }
    } else if let node = value as? [String: Any] {
      if let table = node["Relation Name"] as? String, let schema = node["Schema"] as? String {
        names.append(["schema": schema, "name": table])
      }
      for element in node.values { collect(element, into: &names) }
    }
  }

  /// Adds the partitioned tables to which a partition belongs.
  ///
  /// A statement may name the partition or a partitioned table.
  static let withAncestors = """
    SELECT DISTINCT n.nspname || '.' || c.relname
    FROM json_to_recordset($1::json) AS t(schema text, name text)
    JOIN pg_catalog.pg_namespace tn ON tn.nspname = t.schema
    JOIN pg_catalog.pg_class tc ON tc.relnamespace = tn.oid AND tc.relname = t.name
    CROSS JOIN LATERAL (
      SELECT tc.oid AS relid
      UNION SELECT a.relid::oid FROM pg_catalog.pg_partition_ancestors(tc.oid) AS a(relid)
    ) AS r
    JOIN pg_catalog.pg_class c ON c.oid = r.relid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    """
}

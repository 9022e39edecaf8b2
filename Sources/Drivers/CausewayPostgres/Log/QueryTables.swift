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

  /// The relations and functions of a plan.
  struct Sources {
    /// The schema and the name of each relation.
    var relations: [[String: String]] = []
    /// Whether the query may read relations that the plan does not name.
    var hidesRelations = false
  }

  /// Returns the relations and functions of a plan.
  static func sources(inPlan text: String) -> Sources {
    var sources = Sources()
    if let plan = try? JSONSerialization.jsonObject(with: Data(text.utf8)) {
      collect(plan, into: &sources)
    }
    return sources
  }

  /// Whether a node may read relations that are not named in the node or below it.
  private static func hidesRelations(_ node: [String: Any]) -> Bool {
    // The server has left out partitions when the query began, or a relation when it made the plan.
    // Later, the query may need them: they may get rows, or a value such as the date may select
    // them.
    if let removed = node["Subplans Removed"] as? Int, removed > 0 { return true }
    if node["One-Time Filter"] as? String == "false" { return true }
    switch node["Node Type"] as? String {
    // An extension, or another server, joins relations in one node.
    case "Foreign Scan", "Custom Scan": return node["Relation Name"] == nil
    // A function outside `pg_catalog` may read any table. A node with several functions has no
    // name.
    case "Function Scan":
      return node["Function Name"] == nil || node["Schema"] as? String != "pg_catalog"
    default: return false
    }
  }

  private static func collect(_ value: Any, into sources: inout Sources) {
    if let list = value as? [Any] {
      for element in list { collect(element, into: &sources) }
    } else if let node = value as? [String: Any] {
      if let schema = node["Schema"] as? String, let table = node["Relation Name"] as? String {
        sources.relations.append(["schema": schema, "name": table])
      }
      if hidesRelations(node) { sources.hidesRelations = true }
      for element in node.values { collect(element, into: &sources) }
    }
  }

  /// Returns the names of relations, with the partitioned tables to which a partition belongs, and
  /// whether the change log contains all changes of each relation.
  ///
  /// A statement may name the partition or a partitioned table. The log contains no changes of a
  /// relation without the trigger, such as a partition that another program has made. The second
  /// value tells whether the query reads the relation. The other relations are partitions that the
  /// plan has left out.
  static let watched = """
    SELECT n.nspname || '.' || c.relname, bool_or(r.is_read), bool_and(
      c.relkind IN ('r', 'p') AND EXISTS (
        SELECT 1 FROM pg_catalog.pg_trigger tg WHERE tg.tgrelid = c.oid
        AND tg.tgenabled IN ('O', 'A') AND tg.tgfoid = to_regprocedure($2::text)))
    FROM json_to_recordset($1::json) AS t(schema text, name text)
    JOIN pg_catalog.pg_namespace tn ON tn.nspname = t.schema
    JOIN pg_catalog.pg_class tc ON tc.relnamespace = tn.oid AND tc.relname = t.name
    CROSS JOIN LATERAL (
      SELECT tc.oid AS relid, true AS is_read
      UNION SELECT a.relid::oid, true FROM pg_catalog.pg_partition_ancestors(tc.oid) AS a(relid)
      UNION SELECT p.relid::oid, false
      FROM pg_catalog.pg_partition_tree(pg_catalog.pg_partition_root(tc.oid)) AS p
    ) AS r
    JOIN pg_catalog.pg_class c ON c.oid = r.relid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    GROUP BY 1
    """
}

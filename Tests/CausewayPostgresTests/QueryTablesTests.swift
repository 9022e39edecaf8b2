import CausewayDatabase
import Foundation
import Testing

@testable import CausewayPostgres

/// The relations of a query, read from a plan of the server.
struct QueryTablesTests {
  private func join(_ node: String) -> String {
    """
    [{"Plan": {"Node Type": "Nested Loop", "Plans": [
      {"Node Type": "Seq Scan", "Relation Name": "note", "Schema": "public", "Alias": "note"},
      \(node)]}}]
    """
  }

  @Test(arguments: [
    #"{"Node Type": "Foreign Scan", "Relations": "(far.a) INNER JOIN (far.b)"}"#,
    #"{"Node Type": "Custom Scan", "Custom Plan Provider": "Other"}"#,
    #"{"Node Type": "Append", "Subplans Removed": 2, "Plans": []}"#,
    #"{"Node Type": "Merge Append", "Subplans Removed": 1, "Plans": []}"#,
    #"{"Node Type": "Result", "One-Time Filter": "false"}"#,
    #"{"Node Type": "Function Scan", "Function Name": "many", "Schema": "public"}"#,
    #"{"Node Type": "Function Scan", "Function Call": "many(), more()"}"#,
  ])
  func `a plan node without a relation may read any relation`(node: String) {
    let sources = QueryTables.sources(inPlan: join(node))
    #expect(sources.hidesRelations)
    #expect(sources.relations == [["schema": "public", "name": "note"]])
  }

  @Test(arguments: [
    #"{"Node Type": "Foreign Scan", "Relation Name": "note", "Schema": "public"}"#,
    #"{"Node Type": "Append", "Subplans Removed": 0, "Plans": []}"#,
    #"{"Node Type": "Result", "One-Time Filter": "(now() > now())"}"#,
    #"{"Node Type": "Function Scan", "Function Name": "unnest", "Schema": "pg_catalog"}"#,
    #"{"Node Type": "CTE Scan", "CTE Name": "many"}"#,
  ])
  func `a plan that names all its relations is complete`(node: String) {
    #expect(!QueryTables.sources(inPlan: join(node)).hidesRelations)
  }
}

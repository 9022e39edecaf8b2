import CausewayData
import Testing

@Suite("Remedies for missing tables")
struct MissingTableTests {
  private func remedy(_ message: String) -> String {
    PersistenceError(.statement, message: message, sql: "SELECT 1").remedy
  }

  @Test(arguments: ["no such table: item_base", "relation \"item_overlay\" does not exist"])
  func `the missing migration of a synced table is named`(message: String) {
    #expect(remedy(message).contains("migration of the SyncedTable \"item\""))
  }

  @Test(arguments: ["no such table: main.sync_outbox", "relation \"sync_cursor\" does not exist"])
  func `the migrations of the outbox are named`(message: String) {
    #expect(remedy(message).contains("Outbox.migrations"))
  }

  @Test func `another table needs a migration or another name`() {
    #expect(remedy("no such table: boats").contains("a migration that creates boats"))
  }

  @Test func `another failure needs a corrected statement`() {
    #expect(remedy("near \"SELCT\": syntax error") == "Correct the statement.")
  }
}

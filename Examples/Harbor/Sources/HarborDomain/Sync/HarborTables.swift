public import CausewayData

/// The tables of a device's database.
public enum HarborTables {
  /// The activities of a group.
  public static let activities = SyncedTable<ActivityRecord>("activity")
  /// The people of a group who have pictures.
  public static let people = SyncedTable<PersonRecord>("person")
  /// The groups of the account.
  public static let groups = SyncedTable<GroupRecord>("membership")
  /// The short links of the account.
  public static let links = SyncedTable<LinkRecord>("link")

  /// All steps of the schema, oldest first.
  ///
  /// Append new steps. Do not change released steps.
  public static var migrations: [Migration] {
    Outbox.migrations + [
      activities.migration(
        columns: """
          id TEXT NOT NULL, title TEXT, place TEXT, notes TEXT, start REAL, host TEXT,
          participants TEXT, created REAL, updated REAL, revision INTEGER
          """),
      activities.migration(indexing: "start"),
      people.migration(columns: "id TEXT NOT NULL, name TEXT, picture TEXT"),
      groups.migration(columns: "id TEXT NOT NULL, name TEXT"),
      links.migration(columns: "id TEXT NOT NULL, target TEXT, created REAL"),
      Migration(
        "keep a name for each browser",
        "CREATE TABLE browser (browser TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT"),
      activities.migration(adding: "finish REAL"),
    ]
  }
}

public import CausewayData

/// The schema of the board's database, step by step.
public enum BoardMigrations {
  /// All steps, oldest first.
  ///
  /// Append new steps. Do not change released steps.
  public static var all: [Migration] {
    [
      Migration(
        "create activities",
        """
        CREATE TABLE activity (
          id TEXT PRIMARY KEY NOT NULL,
          title TEXT NOT NULL CHECK (length(title) > 0),
          place TEXT,
          notes TEXT,
          start REAL NOT NULL,
          host TEXT NOT NULL,
          created REAL NOT NULL,
          updated REAL NOT NULL,
          revision INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX activity_start ON activity (start)",
        """
        CREATE TABLE participation (
          activity_id TEXT NOT NULL REFERENCES activity (id) ON DELETE CASCADE,
          key TEXT NOT NULL,
          name TEXT NOT NULL,
          joined REAL NOT NULL,
          PRIMARY KEY (activity_id, key)
        ) STRICT
        """),
      Migration(
        "create preferences",
        "CREATE TABLE preference (id TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT"),
      Migration(
        "keep a name for each browser",
        "CREATE TABLE person (browser TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT",
        "DELETE FROM preference WHERE id = 'name'"),
    ]
  }
}

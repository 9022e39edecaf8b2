public import CausewayData

/// The schema of the backend's database, step by step.
public enum BackendMigrations {
  /// All steps, oldest first.
  ///
  /// Append new steps. Do not change released steps.
  public static var all: [Migration] {
    [
      Migration(
        "create accounts",
        """
        CREATE TABLE account (
          id TEXT PRIMARY KEY NOT NULL,
          key TEXT UNIQUE NOT NULL,
          name TEXT NOT NULL,
          secret TEXT,
          created REAL NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE token (
          hash TEXT PRIMARY KEY NOT NULL,
          kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
          account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
          device TEXT NOT NULL,
          expiry REAL NOT NULL
        ) STRICT
        """,
        "CREATE INDEX token_device ON token (device)"),
      Migration(
        "create groups",
        """
        CREATE TABLE member (
          scope TEXT NOT NULL,
          account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          PRIMARY KEY (scope, account)
        ) STRICT
        """,
        """
        CREATE TABLE invitation (
          hash TEXT PRIMARY KEY NOT NULL,
          group_id TEXT NOT NULL,
          expiry REAL NOT NULL
        ) STRICT
        """),
      Migration(
        "create collections",
        """
        CREATE TABLE record (
          scope TEXT NOT NULL,
          collection TEXT NOT NULL,
          id TEXT NOT NULL,
          version INTEGER NOT NULL,
          body TEXT,
          PRIMARY KEY (scope, collection, id)
        ) STRICT
        """,
        "CREATE UNIQUE INDEX record_version ON record (scope, collection, version)",
        "CREATE INDEX record_id ON record (collection, id)",
        """
        CREATE TABLE feed (
          scope TEXT NOT NULL,
          collection TEXT NOT NULL,
          version INTEGER NOT NULL,
          PRIMARY KEY (scope, collection)
        ) STRICT
        """,
        """
        CREATE TABLE receipt (
          account TEXT NOT NULL,
          key TEXT NOT NULL,
          answer TEXT NOT NULL,
          created REAL NOT NULL,
          PRIMARY KEY (account, key)
        ) STRICT
        """),
      Migration(
        "create pictures and feedback",
        """
        CREATE TABLE picture (
          id TEXT PRIMARY KEY NOT NULL,
          group_id TEXT NOT NULL,
          type TEXT NOT NULL,
          bytes BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE feedback (
          id INTEGER PRIMARY KEY,
          account TEXT NOT NULL,
          text TEXT NOT NULL,
          created REAL NOT NULL
        ) STRICT
        """),
      Pictures.migration,
    ]
  }
}

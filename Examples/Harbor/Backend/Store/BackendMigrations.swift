import CausewayAccounts
public import CausewayData

/// The schema of the backend's database, step by step.
public enum BackendMigrations {
  /// All steps for SQLite, oldest first.
  public static var all: [Migration] { steps(.sqlite) }

  /// The same steps for PostgreSQL.
  public static var postgres: [Migration] { steps(.postgres) }

  /// The steps with the words of one database.
  ///
  /// Append new steps. Do not change released steps.
  private static func steps(_ dialect: Dialect) -> [Migration] {
    [
      Migration(
        "create accounts",
        """
        CREATE TABLE account (
          id TEXT PRIMARY KEY NOT NULL,
          key TEXT UNIQUE NOT NULL,
          name TEXT NOT NULL,
          secret TEXT,
          created \(dialect.real) NOT NULL
        )\(dialect.options)
        """,
        DeviceTokens.table(real: dialect.real, options: dialect.options), DeviceTokens.index),
      Migration(
        "create groups",
        """
        CREATE TABLE member (
          scope TEXT NOT NULL,
          account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          PRIMARY KEY (scope, account)
        )\(dialect.options)
        """,
        """
        CREATE TABLE invitation (
          hash TEXT PRIMARY KEY NOT NULL,
          group_id TEXT NOT NULL,
          expiry \(dialect.real) NOT NULL
        )\(dialect.options)
        """),
      Migration(
        "create collections",
        """
        CREATE TABLE record (
          scope TEXT NOT NULL,
          collection TEXT NOT NULL,
          id TEXT NOT NULL,
          version \(dialect.integer) NOT NULL,
          body TEXT,
          PRIMARY KEY (scope, collection, id)
        )\(dialect.options)
        """,
        "CREATE UNIQUE INDEX record_version ON record (scope, collection, version)",
        "CREATE INDEX record_id ON record (collection, id)",
        """
        CREATE TABLE feed (
          scope TEXT NOT NULL,
          collection TEXT NOT NULL,
          version \(dialect.integer) NOT NULL,
          PRIMARY KEY (scope, collection)
        )\(dialect.options)
        """,
        Receipts.table(real: dialect.real, options: dialect.options)),
      Migration(
        "create pictures and feedback",
        """
        CREATE TABLE picture (
          id TEXT PRIMARY KEY NOT NULL,
          group_id TEXT NOT NULL,
          type TEXT NOT NULL,
          bytes \(dialect.bytes) NOT NULL
        )\(dialect.options)
        """,
        """
        CREATE TABLE feedback (
          id \(dialect.countedKey),
          account TEXT NOT NULL,
          text TEXT NOT NULL,
          created \(dialect.real) NOT NULL
        )\(dialect.options)
        """),
      Pictures.migration,
      DeviceTokens.devicesMigration(options: dialect.options),
      DeviceTokens.successionMigration,
      NameLooks.migration(options: dialect.options),
      Records.countMigration(integer: dialect.integer),
      Receipts.migration(integer: dialect.integer),
      BrowserChoice.migration(integer: dialect.integer, options: dialect.options),
      BrowserAccounts.migration,
      BrowserChoice.ownMigration(integer: dialect.integer, options: dialect.options),
      PassphraseResets.migration(real: dialect.real, options: dialect.options),
      Invitations.migration,
      Members.migration(integer: dialect.integer),
      BrowserAccounts.endMigration,
    ] + Names.migrations(options: dialect.options)
      + [
        SecretLinks.migration(options: dialect.options),
        AccountMail.migration(real: dialect.real, options: dialect.options),
      ]
  }
}

/// The words in which the two databases differ.
private struct Dialect {
  var integer, real, bytes: SQL
  /// The type of a key that the database counts.
  var countedKey: SQL
  /// The end of a table's definition.
  var options: SQL

  static let sqlite = Dialect(
    integer: "INTEGER", real: "REAL", bytes: "BLOB", countedKey: "INTEGER PRIMARY KEY",
    options: " STRICT")
  static let postgres = Dialect(
    integer: "BIGINT", real: "DOUBLE PRECISION", bytes: "BYTEA",
    countedKey: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", options: "")
}

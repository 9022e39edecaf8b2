public import CausewayData
import CausewaySyncServer
import HarborAccounts

/// The schema of the backend's database, step by step.
public enum BackendMigrations {
  /// All steps for SQLite, oldest first.
  public static var all: [Migration] {
    steps(.sqlite)
      + [
        ActivityTimes.migration(columns: ActivityTimes.sqliteColumns), ActivityIndex.migration,
        ActivityPeople.migration(integer: "INTEGER", exact: "", options: " STRICT"),
        ActivityIndex.mergeMigration,
      ]
  }

  /// The same steps for PostgreSQL.
  public static var postgres: [Migration] {
    steps(.postgres) + [
      ActivityTimes.migration(columns: ActivityTimes.postgresColumns),
      ActivityIndex.postgresMigration,
      ActivityPeople.migration(integer: "BIGINT", exact: " COLLATE \"C\"", options: ""),
      ActivityIndex.postgresMergeMigration,
    ]
  }

  /// The first steps, with the words of one database.
  ///
  /// Append new steps to the lists above. Do not change released steps.
  private static func steps(_ dialect: SQLDialect) -> [Migration] {
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
        StoredRecords.tables(integer: dialect.integer, options: dialect.options),
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
      Migration(
        "count the records of collections", StoredRecords.counts(integer: dialect.integer),
        "CREATE INDEX feedback_account ON feedback (account)",
        "CREATE INDEX invitation_group ON invitation (group_id)",
        "CREATE INDEX member_account ON member (account)"),
      Migration(
        "number the receipts of accounts", Receipts.numbers(integer: dialect.integer),
        "CREATE INDEX token_account ON token (account)"),
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
        AccountNotices.migration(
          integer: dialect.integer, real: dialect.real, options: dialect.options),
        ActivityNotices.migration, BrowserAccounts.keyMigration,
      ] + Names.lookMigrations(options: dialect.options)
      + [Backend.healthMigration(integer: dialect.integer), Pictures.metadataMigration]
  }
}

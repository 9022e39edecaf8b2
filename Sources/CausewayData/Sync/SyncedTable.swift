/// The tables of a record type: the server's rows, and an overlay with pending mutations.
///
/// ```swift
/// let notes = SyncedTable<Note>("note")
/// let migrations = Outbox.migrations + [
///   notes.migration(columns: "id TEXT NOT NULL, title TEXT NOT NULL, stars INTEGER NOT NULL")
/// ]
/// ```
///
/// The migration creates three things:
///
/// - the table `note_base` with the server's rows,
/// - the table `note_overlay` with the shown form of records that have pending mutations,
/// - the view `note`, which shows an overlay row instead of the server's row.
///
/// The view's column `syncPending` marks the rows of the overlay. Query the view; only the engine
/// writes.
public struct SyncedTable<Record>: Sendable
where
  Record: Codable & Equatable & Sendable & Identifiable,
  Record.ID: SQLConvertible & Codable & Sendable
{
  /// The name of the view, and of the collection in the outbox.
  public let name: String
  /// The column of the record's identifier.
  public let key: String

  var base: String { SQL.baseName(of: name) }
  var overlay: String { SQL.overlayName(of: name) }
  var keyColumns: [String] { ["syncAccount", "syncScope", key] }

  /// Creates a table description; it changes no database.
  ///
  /// - Parameters:
  ///   - name: The view's name.
  ///   - key: The column of the record's identifier.
  public init(_ name: String, key: String = "id") {
    self.name = name
    self.key = key
  }

  /// The migration that creates the tables and the view; put it after `Outbox.migrations`.
  ///
  /// - Parameter columns: The columns of a record as in `CREATE TABLE`, without a primary key. The
  ///   primary key is the account, the scope and the record's identifier. Names that begin with
  ///   `sync` are reserved.
  public func migration(columns: SQL) -> Migration {
    Migration(
      "causeway: synced table \(name)",
      table(base, columns), table(overlay, columns), view,
      "INSERT INTO sync_table (name) VALUES (\(name))")
  }

  /// A migration that adds a column to an existing table; append it to the list.
  ///
  /// The server may have had the value before, and it does not report records that have not
  /// changed. So the next read of each scope asks for all records. Until it has succeeded, stored
  /// records have the column's default.
  ///
  /// - Parameter column: The column as in `ALTER TABLE … ADD COLUMN`; nullable or with a default.
  public func migration(adding column: SQL) -> Migration {
    Migration(
      "causeway: synced table \(name), \(column.text)",
      "DROP VIEW \(identifier: name)",
      "ALTER TABLE \(identifier: base) ADD COLUMN \(column)",
      "ALTER TABLE \(identifier: overlay) ADD COLUMN \(column)",
      view,
      // Pending mutations may set the new column, so their records are shown anew.
      "UPDATE \(identifier: overlay) SET syncRead = 0",
      markCursors)
  }

  private func table(_ table: String, _ columns: SQL) -> SQL {
    """
    CREATE TABLE \(identifier: table) (
      syncAccount TEXT NOT NULL,
      syncScope TEXT NOT NULL,
      syncRead INTEGER NOT NULL,
      syncDeleted INTEGER NOT NULL,
      \(columns),
      PRIMARY KEY (syncAccount, syncScope, \(identifier: key))
    )
    """
  }

  private var view: SQL {
    """
    CREATE VIEW \(identifier: name) AS
    SELECT base.*, 0 AS syncPending FROM \(identifier: base) AS base
    WHERE NOT EXISTS (
      SELECT 1 FROM \(identifier: overlay) AS overlay
      WHERE overlay.syncAccount = base.syncAccount AND overlay.syncScope = base.syncScope
      AND overlay.\(identifier: key) = base.\(identifier: key))
    UNION ALL
    SELECT overlay.*, 1 AS syncPending FROM \(identifier: overlay) AS overlay
    WHERE NOT syncDeleted
    """
  }
}

public import CausewayDatabase

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
/// - the view `note`, which shows a row of the overlay instead of the server's row.
///
/// The view's column `syncPending` marks the rows of the overlay. Its column `syncRejected` marks
/// records with a refused mutation. Query the view; only the engine writes.
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

  /// Makes the description of a table; this does not change a database.
  ///
  /// - Parameters:
  ///   - name: The view's name.
  ///   - key: The column of the record's identifier.
  public init(_ name: String, key: String = "id") {
    self.name = name
    self.key = key
  }

  /// Returns the migration that creates the tables and the view; put it after `Outbox.migrations`.
  ///
  /// - Parameter columns: The columns of a record as in `CREATE TABLE`, without a primary key. The
  ///   primary key is the account, the scope and the record's identifier. Names that begin with
  ///   `sync` are reserved.
  public func migration(columns: SQL) -> Migration {
    Migration(
      "causeway: synced table \(name)",
      table(base, columns), table(overlay, columns), view,
      "INSERT INTO sync_table (name) VALUES (\(name))",
      "ANALYZE \(identifier: base)",
      estimate(base, index: nil, columns: 1), estimate(overlay, index: nil, columns: 1),
      "ANALYZE sqlite_schema")
  }

  /// Returns a migration that adds an index on some columns; append it to the list of migrations.
  ///
  /// The engine's queries filter by account and scope. So the index begins with these two columns,
  /// and ends with the record's identifier. It is created for the server's rows and for the
  /// overlay.
  ///
  /// ```swift
  /// notes.migration(indexing: "title")
  /// ```
  ///
  /// - Parameter columns: The names of the columns, in the order in which a query filters or sorts
  ///   by them.
  public func migration(indexing columns: String...) -> Migration {
    let all = ["syncAccount", "syncScope"] + columns + (columns.contains(key) ? [] : [key])
    let terms = SQL.list(all.map { "\(identifier: $0)" })
    // An index of `a_b` and `c` must not have the same name as an index of `a` and `b_c`.
    let suffix = columns.map { $0.replacing("_", with: "__") }.joined(separator: "_and_")
    let create = { (table: String) -> SQL in
      "CREATE INDEX \(identifier: "\(table)_by_\(suffix)") ON \(identifier: table) (\(terms))"
    }
    return Migration(
      "causeway: synced table \(name), index of \(columns.joined(separator: ", "))",
      create(base), create(overlay),
      estimate(base, index: "\(base)_by_\(suffix)", columns: all.count - 2),
      estimate(overlay, index: "\(overlay)_by_\(suffix)", columns: all.count - 2),
      "ANALYZE sqlite_schema")
  }

  /// Tells SQLite's planner how many rows the first columns of an index select.
  ///
  /// Without these numbers, the planner assumes that the account and the scope select about ten
  /// rows, because they begin the primary key. It would then scan all records of a scope and use no
  /// other index. If the app runs `ANALYZE`, measured numbers replace these.
  ///
  /// - Parameters:
  ///   - index: The name of the index; `nil` for the index of the primary key.
  ///   - columns: The number of the index's columns after the account and the scope.
  private func estimate(_ table: String, index: String?, columns: Int) -> SQL {
    // The first numbers count all rows, the rows of an account, and the rows of a scope. For each
    // further column, the next number counts the rows with equal values up to this column.
    let selected = (0..<columns).map { $0 == columns - 1 ? 1 : $0 == 0 ? 10 : 2 }
    let numbers = ([100_000, 100_000, 10_000] + selected).map(String.init).joined(separator: " ")
    return """
      INSERT INTO sqlite_stat1 (tbl, idx, stat)
      SELECT \(table), name, \(numbers) FROM pragma_index_list(\(table))
      WHERE \(index.map { "name = \($0)" } ?? "origin = 'pk'" as SQL)
      """
  }

  /// Returns a migration that adds a column to an existing table; append it to the list.
  ///
  /// The server may already have values for the new column, and it does not report records that
  /// have not changed. So the next read of each scope requests all records. Until that read has
  /// succeeded, stored records have the column's default.
  ///
  /// - Parameter column: The column as in `ALTER TABLE … ADD COLUMN`; nullable or with a default.
  public func migration(adding column: SQL) -> Migration {
    Migration(
      "causeway: synced table \(name), \(column.text)",
      "DROP VIEW \(identifier: name)",
      "ALTER TABLE \(identifier: base) ADD COLUMN \(column)",
      "ALTER TABLE \(identifier: overlay) ADD COLUMN \(column)",
      view,
      // Pending mutations may set the new column, so the shown rows of their records are updated.
      "UPDATE \(identifier: overlay) SET syncRead = 0",
      "UPDATE sync_outbox SET isAbsent = 0 WHERE collection = \(name)",
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
    SELECT base.*, 0 AS syncPending, \(isRejected("base")) AS syncRejected
    FROM \(identifier: base) AS base
    WHERE NOT EXISTS (
      SELECT 1 FROM \(identifier: overlay) AS overlay
      WHERE overlay.syncAccount = base.syncAccount AND overlay.syncScope = base.syncScope
      AND overlay.\(identifier: key) = base.\(identifier: key))
    UNION ALL
    SELECT overlay.*, 1 AS syncPending, \(isRejected("overlay")) AS syncRejected
    FROM \(identifier: overlay) AS overlay
    WHERE NOT syncDeleted
    """
  }

  /// Whether a record of the view has a dead letter.
  ///
  /// The plus sign removes the column's affinity, because the column `entity` has none. Otherwise
  /// SQLite could not use the index.
  private func isRejected(_ row: String) -> SQL {
    // The definition of a view cannot contain bound values.
    let collection = SQL(text: "'\(name.replacing("'", with: "''"))'")
    return """
      EXISTS (SELECT 1 FROM sync_dead_letter AS letter
        WHERE letter.account = \(identifier: row).syncAccount
        AND letter.collection = \(collection) AND letter.scope = \(identifier: row).syncScope
        AND letter.entity = +\(identifier: row).\(identifier: key))
      """
  }
}

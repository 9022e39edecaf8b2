/// The table in which each transaction records the tables that it changes.
///
/// Triggers write the entries, so changes by other programs are recorded too. An entry is part of
/// its transaction, so it exists if and only if the change exists.
struct ChangeLog: Sendable {
  /// The schema, quoted.
  let schema: String

  private var table: String { "\(schema).causeway_change" }

  // The functions contain the schema inside of texts, where other characters have a meaning.
  private var tableInText: String { table.replacing("'", with: "''") }
  private var schemaInFormat: String {
    schema.replacing("'", with: "''").replacing("%", with: "%%")
  }

  /// The quotes of a function, which do not occur in it.
  private var quotes: String {
    var tag = "body"
    while schema.contains("$\(tag)$") { tag += "_" }
    return "$\(tag)$"
  }

  /// Creates the table and the functions.
  var creation: String {
    """
    CREATE TABLE IF NOT EXISTS \(table) (
      xid xid8 NOT NULL, name TEXT NOT NULL, token TEXT, PRIMARY KEY (xid, name));
    CREATE OR REPLACE FUNCTION \(schema).causeway_note_change() RETURNS trigger
    LANGUAGE plpgsql AS \(quotes)
    BEGIN
      INSERT INTO \(table) (xid, name, token)
      VALUES (
        pg_current_xact_id(), TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME,
        current_setting('causeway.token', true))
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END \(quotes);
    CREATE OR REPLACE FUNCTION \(schema).causeway_watch() RETURNS void
    LANGUAGE plpgsql AS \(quotes)
    DECLARE missing regclass;
    BEGIN
      FOR missing IN
        SELECT c.oid::regclass FROM pg_catalog.pg_class c
        WHERE c.relnamespace = (
            SELECT relnamespace FROM pg_catalog.pg_class WHERE oid = '\(tableInText)'::regclass)
          AND c.relkind IN ('r', 'p')
          AND c.relname NOT IN ('causeway_change', 'causeway_migration')
          AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
          AND NOT EXISTS (
            SELECT 1 FROM pg_catalog.pg_trigger t
            WHERE t.tgrelid = c.oid AND t.tgname = 'causeway_note_change')
      LOOP
        EXECUTE format(
          'CREATE TRIGGER causeway_note_change '
          'AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s '
          'FOR EACH STATEMENT EXECUTE FUNCTION \(schemaInFormat).causeway_note_change()', missing);
      END LOOP;
    END \(quotes);
    """
  }

  /// Adds the trigger to each table of the schema that lacks it.
  var watch: String { "SELECT \(schema).causeway_watch()" }

  /// The name of an entry that stands for all tables.
  static let everything = "*"

  var noteSchemaChange: String {
    """
    INSERT INTO \(table) (xid, name, token)
    VALUES (pg_current_xact_id(), '*', current_setting('causeway.token', true))
    ON CONFLICT DO NOTHING
    """
  }

  /// Returns the tables that the last transaction of the connection has changed.
  var changesOfLast: String {
    "SELECT name FROM \(table) WHERE xid = current_setting('causeway.transaction')::xid8"
  }

  /// Returns the current watermark and the entries from the given watermark on.
  ///
  /// A transaction below `pg_snapshot_xmin` has ended, and its entries are visible. Later ones may
  /// commit in any order, so their entries are read again until the watermark has passed them.
  var changesSince: String {
    """
    SELECT pg_snapshot_xmin(now.snapshot), change.xid, change.name
    FROM (SELECT pg_current_snapshot() AS snapshot) AS now
    LEFT JOIN \(table) AS change ON change.xid >= $1::xid8
    """
  }

  static let watermark = "SELECT pg_snapshot_xmin(pg_current_snapshot())"

  /// Removes entries that all readers have passed.
  var trim: String { "DELETE FROM \(table) WHERE xid < $1::xid8" }

  /// Returns the state of a transaction, whether its entries have the given token, and the position
  /// of the server's log.
  ///
  /// The second value is NULL if there are no entries.
  var outcome: String {
    """
    SELECT pg_xact_status($1::xid8),
      (SELECT bool_or(token IS NOT DISTINCT FROM $2) FROM \(table) WHERE xid = $1::xid8),
      (\(LogPosition.current))
    """
  }

  /// The channel of the hints that tell readers to look at the log.
  static let channel = "causeway_change"
}

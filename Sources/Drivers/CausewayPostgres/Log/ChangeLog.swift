import CausewayDatabase

/// The table in which each transaction records the tables that it changes.
///
/// Triggers write the entries, so changes by other programs are recorded too. An entry is part of
/// its transaction, so it exists if and only if the change exists.
struct ChangeLog: Sendable {
  /// The schema, quoted.
  let schema: String

  private var table: String { "\(schema).causeway_change" }

  // The functions contain the schema inside texts, where some characters have another meaning.
  private var tableInText: String { table.replacing("'", with: "''") }
  private var schemaInFormat: String {
    schema.replacing("'", with: "''").replacing("%", with: "%%")
  }

  /// The quotes around the body of a function; they do not occur in the body.
  private var quotes: String {
    var tag = "body"
    while schema.contains("$\(tag)$") { tag += "_" }
    return "$\(tag)$"
  }

  /// Creates the table and the functions.
  ///
  /// Other roles may change the tables too, but have no right to change the log. So the trigger's
  /// function runs with the rights of its owner. It names the schema of each function that it
  /// calls. Otherwise another role could make the server find other functions of the same names
  /// first.
  var creation: String {
    """
    CREATE TABLE IF NOT EXISTS \(table) (
      xid xid8 NOT NULL, name TEXT NOT NULL, token TEXT, PRIMARY KEY (xid, name));
    CREATE OR REPLACE FUNCTION \(schema).causeway_note_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER AS \(quotes)
    BEGIN
      INSERT INTO \(table) (xid, name, token)
      VALUES (
        pg_catalog.pg_current_xact_id(), pg_catalog.concat(TG_TABLE_SCHEMA, '.', TG_TABLE_NAME),
        pg_catalog.current_setting('causeway.token', true))
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
          AND pg_catalog.has_table_privilege(c.oid, 'TRIGGER')
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

  /// The function of the trigger, as `to_regprocedure` reads it.
  var triggerFunction: String { "\(schema).causeway_note_change()" }

  /// Whether the functions are from this version of the library, or belong to another role.
  var isCurrent: SQL {
    """
    SELECT coalesce((
      SELECT prosecdef OR NOT pg_has_role(proowner, 'USAGE') FROM pg_catalog.pg_proc
      WHERE oid = to_regprocedure(\(triggerFunction))), true)
    """
  }

  /// Adds the trigger to each table of the schema that lacks it, if the role has the right.
  var watch: String { "SELECT \(schema).causeway_watch()" }

  /// The name that stands for all tables whose changes the log does not contain.
  ///
  /// Live queries of such a table run after each commit of the service, and at an interval.
  static let unwatched = "a table without a trigger"

  /// Reads a text that changes when a table is added or dropped: the number of the relations in the
  /// search path, and their highest id.
  static let relations = """
    SELECT count(*) || ' ' || coalesce(max(oid::bigint), 0) FROM pg_catalog.pg_class
    WHERE relkind IN ('r', 'p', 'm', 'f') AND relpersistence <> 't' AND relnamespace IN (
      SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = ANY (current_schemas(false)))
    """

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

  /// Returns the state of a transaction, and whether its entries have the given token.
  ///
  /// The second value is NULL if there are no entries.
  var outcome: String {
    """
    SELECT pg_xact_status($1::xid8),
      (SELECT bool_or(token IS NOT DISTINCT FROM $2) FROM \(table) WHERE xid = $1::xid8)
    """
  }

  /// The channel of the hints that tell readers to look at the log.
  static let channel = "causeway_change"
}

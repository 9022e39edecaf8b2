import CausewayData

/// The tables of the index.
///
/// In both databases, `activity_search` is called with a pattern, and returns the keys of the found
/// activities. The order of the keys is the order of the starts, so a search for the first
/// activities reads only these.
extension ActivityIndex {
  static let migration = Migration(
    "search activities",
    table(integer: "INTEGER", real: "REAL", exact: "", options: " STRICT"),
    // All other characters belong to words, which were folded before.
    """
    CREATE VIRTUAL TABLE activity_search USING fts5(
      words, content='activity_text', content_rowid='key', tokenize='ascii', prefix='2 3')
    """,
    """
    CREATE TRIGGER activity_text_insert AFTER INSERT ON activity_text BEGIN
      INSERT INTO activity_search (rowid, words) VALUES (new.key, new.words);
    END
    """,
    """
    CREATE TRIGGER activity_text_delete AFTER DELETE ON activity_text BEGIN
      INSERT INTO activity_search (activity_search, rowid, words)
      VALUES ('delete', old.key, old.words);
    END
    """, progress(integer: "INTEGER"))

  static let postgresMigration = Migration(
    "search activities",
    table(integer: "BIGINT", real: "DOUBLE PRECISION", exact: " COLLATE \"C\"", options: ""),
    """
    ALTER TABLE activity_text ADD COLUMN lexemes tsvector
    GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED
    """,
    // With `fastupdate`, the index keeps a list of new entries, and each search reads the whole
    // list.
    "CREATE INDEX activity_text_lexemes ON activity_text USING gin (lexemes) WITH (fastupdate = off)",
    // Without `+ 0`, PostgreSQL would read all keys in their order until a limit is reached.
    """
    CREATE FUNCTION activity_search(pattern text) RETURNS TABLE (rowid bigint)
    LANGUAGE sql STABLE AS $body$
      SELECT key + 0 FROM activity_text WHERE lexemes @@ replace(
        replace(replace(pattern, '"', ''''), ' AND ', ' & '), ' *', ':*')::tsquery
    $body$
    """, progress(integer: "BIGINT"))

  /// The step with which each transaction merges a few pages of the index.
  ///
  /// By itself, FTS5 merges rarely and then much: one change of a large group would write hundreds of
  /// pages. With PostgreSQL, nothing is merged. An insertion into `activity_merge` stores no row.
  static let mergeMigration = Migration(
    "merge the search index in small steps", merge,
    """
    CREATE TRIGGER activity_merge_insert INSTEAD OF INSERT ON activity_merge BEGIN
      INSERT INTO activity_search (activity_search, rank) VALUES ('merge', new.pages);
    END
    """,
    "INSERT INTO activity_search (activity_search, rank) VALUES ('automerge', 0)")

  static let postgresMergeMigration = Migration(
    "merge the search index in small steps", merge,
    "CREATE RULE activity_merge_insert AS ON INSERT TO activity_merge DO INSTEAD NOTHING")

  private static let merge: SQL = "CREATE VIEW activity_merge AS SELECT 0 AS pages"

  private static func table(integer: SQL, real: SQL, exact: SQL, options: SQL) -> SQL {
    """
    CREATE TABLE activity_text (
      key \(integer) PRIMARY KEY,
      scope TEXT NOT NULL,
      id TEXT\(exact) NOT NULL,
      start \(real) NOT NULL,
      title TEXT\(exact) NOT NULL,
      words TEXT NOT NULL,
      UNIQUE (scope, id)
    )\(options)
    """
  }

  private static func progress(integer: SQL) -> SQL {
    "ALTER TABLE feed ADD COLUMN searched \(integer)"
  }
}

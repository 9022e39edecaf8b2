public import CausewayDatabase

/// A full-text index over text columns of a table, kept up to date by triggers.
///
/// ```swift
/// let search = FullTextIndex("articleSearch", of: "article", columns: ["title", "body"])
/// let migrations = [
///   Migration("create article", "CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT, body TEXT)"),
///   Migration("search articles", search.creation),
/// ]
/// let found = try transaction.rows(
///   search.matches(FullTextPattern(allOf: "lighthouse kee")), as: Article.self)
/// ```
///
/// The index is an FTS5 table with external content: it reads the texts from the table, so they are
/// not stored twice. Live queries with ``matches(_:selecting:weights:limit:)`` run again after
/// every write to the table.
///
/// `INSERT OR REPLACE` leaves the words of a replaced row in the index, because SQLite runs no
/// delete trigger for that row. `upsert` and `ON CONFLICT … DO UPDATE` do not have this problem.
/// The table needs stable row ids, so give it a primary key. Without a key and an index, `VACUUM`
/// can change the row ids. ``SQLiteService/eraseDeleted()`` rebuilds the index in this case.
public struct FullTextIndex: Sendable, Hashable {
  /// How texts are divided into words, and which words are equal.
  public enum Tokenizer: Sendable, Hashable {
    /// Words in any script.
    ///
    /// Case and diacritics are ignored: *cafe* finds *Café*. A search finds words by their
    /// beginnings, but not by other parts. Chinese, Japanese, Korean and other texts in which words
    /// are not separated are an exception: a search with such characters finds any part of a text,
    /// and reads all rows.
    case words
    /// Like ``words``, but English words are compared by their stems: *keeper* finds *keepers*.
    case englishStems
    /// All sequences of three characters, so a search also finds parts of words.
    ///
    /// Case is ignored, but not diacritics. A search for one or two characters reads all rows.
    case trigrams

    fileprivate var name: String {
      switch self {
      case .words: "unicode61 remove_diacritics 2"
      case .englishStems: "porter unicode61 remove_diacritics 2"
      case .trigrams: "trigram"
      }
    }
  }

  /// The name of the index, which must differ from the names of tables.
  public let name: String
  /// The indexed table.
  public let table: String
  /// The indexed text columns, in order.
  public let columns: [String]
  /// How texts are divided into words.
  public let tokenizer: Tokenizer
  /// The lengths of indexed prefixes, in characters.
  public let prefixes: [Int]

  /// Describes an index.
  ///
  /// ``creation`` creates it.
  ///
  /// - Parameters:
  ///   - name: The name of the index, which must differ from the names of tables.
  ///   - table: The table to index.
  ///   - columns: The text columns to index, at least one.
  ///   - tokenizer: How texts are divided into words.
  ///   - prefixes: The lengths of prefixes to index. With an indexed length, a search for a prefix
  ///     is as fast as a search for a word. Each length makes the index larger.
  public init(
    _ name: String, of table: String, columns: [String], tokenizer: Tokenizer = .words,
    prefixes: [Int] = []
  ) {
    precondition(!columns.isEmpty, "A full-text index needs at least one column.")
    self.name = name
    self.table = table
    self.columns = columns
    self.tokenizer = tokenizer
    self.prefixes = prefixes
  }

  /// The statements for a migration that creates the index with its triggers, and indexes existing
  /// rows.
  public var creation: SQL {
    let names = columns.map(SQL.quoted).joined(separator: ", ")
    let sizes = prefixes.map(String.init).joined(separator: " ")
    let prefix = prefixes.isEmpty ? "" : ", prefix='\(sizes)'"
    let content = table.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    return SQL(
      unchecked: """
        CREATE VIRTUAL TABLE \(quotedName) USING fts5(
          \(names), content='\(content)', content_rowid='rowid',
          tokenize='\(tokenizer.name)'\(prefix));
        CREATE TRIGGER \(trigger("insert")) AFTER INSERT ON \(quotedTable) BEGIN
          \(insertion);
        END;
        CREATE TRIGGER \(trigger("delete")) AFTER DELETE ON \(quotedTable) BEGIN
          \(deletion);
        END;
        CREATE TRIGGER \(trigger("update")) AFTER UPDATE ON \(quotedTable) BEGIN
          \(deletion);
          \(insertion);
        END;
        INSERT INTO \(quotedName) (\(quotedName)) VALUES ('rebuild');
        """)
  }

  /// The statements for a migration that removes the index.
  ///
  /// The table stays unchanged.
  public var removal: SQL {
    SQL(
      unchecked: """
        DROP TRIGGER \(trigger("insert"));
        DROP TRIGGER \(trigger("delete"));
        DROP TRIGGER \(trigger("update"));
        DROP TABLE \(quotedName);
        """)
  }

  var quotedName: String { SQL.quoted(name) }
  var quotedTable: String { SQL.quoted(table) }

  private func trigger(_ event: String) -> String { SQL.quoted("\(name)_\(event)") }

  private func values(of row: String) -> String {
    (["rowid"] + columns).map { "\(row).\(SQL.quoted($0))" }.joined(separator: ", ")
  }

  private var insertion: String {
    let names = (["rowid"] + columns.map(SQL.quoted)).joined(separator: ", ")
    return "INSERT INTO \(quotedName) (\(names)) VALUES (\(values(of: "new")))"
  }

  /// The index needs the old texts in order to remove their words.
  private var deletion: String {
    let names = ([quotedName, "rowid"] + columns.map(SQL.quoted)).joined(separator: ", ")
    return "INSERT INTO \(quotedName) (\(names)) VALUES ('delete', \(values(of: "old")))"
  }
}

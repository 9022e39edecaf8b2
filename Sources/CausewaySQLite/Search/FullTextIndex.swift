public import CausewayData

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
/// The index is an FTS5 table that takes the texts from the table (external content), so that they
/// are not stored twice. Live queries over ``matches(_:selecting:limit:)`` hear of every write to the
/// table.
///
/// `INSERT OR REPLACE` leaves the words of a replaced row in the index, because SQLite fires no
/// trigger for it; `upsert` and `ON CONFLICT … DO UPDATE` do not. The table needs row ids that stay:
/// give it an `INTEGER PRIMARY KEY`, or never run `VACUUM` on the file.
public struct FullTextIndex: Sendable, Hashable {
  /// How texts are divided into words, and which words count as equal.
  public enum Tokenizer: Sendable, Hashable {
    /// Words of any script, without regard to case and diacritics: *cafe* finds *Café*.
    case words
    /// As ``words``, and English words by their stems: *keeper* finds *keepers*.
    case englishStems
    /// Every sequence of three characters, so that parts of words are found too.
    case trigrams

    fileprivate var name: String {
      switch self {
      case .words: "unicode61 remove_diacritics 2"
      case .englishStems: "porter unicode61 remove_diacritics 2"
      case .trigrams: "trigram"
      }
    }
  }

  /// The name of the index, as of a table.
  public let name: String
  /// The table whose rows are found.
  public let table: String
  /// The columns whose texts are indexed, in order.
  public let columns: [String]
  /// How texts are divided into words.
  public let tokenizer: Tokenizer
  /// The lengths of prefixes that are indexed too, in characters.
  public let prefixes: [Int]

  /// Describes an index; ``creation`` makes it.
  ///
  /// - Parameters:
  ///   - name: The name of the index; no table may have it.
  ///   - table: The table whose rows are found.
  ///   - columns: The columns whose texts are indexed; at least one.
  ///   - tokenizer: How texts are divided into words.
  ///   - prefixes: The lengths of prefixes that are indexed too, so that searching for the beginning
  ///     of a word is as fast as searching for a word. Each length makes the index larger.
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

  /// The statements for a migration: make the index and its triggers, and index what is there.
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

  /// The statements for a migration that removes the index; the table stays as it is.
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

  /// The index needs the old texts to find their words.
  private var deletion: String {
    let names = ([quotedName, "rowid"] + columns.map(SQL.quoted)).joined(separator: ", ")
    return "INSERT INTO \(quotedName) (\(names)) VALUES ('delete', \(values(of: "old")))"
  }
}

public import CausewayDatabase

/// Secret texts in addresses, with which programs read data of an account without a sign-in.
///
/// An account has at most one text for each topic. A new text replaces the earlier one, for example
/// if the earlier one was sent to the wrong person. The database stores only hashes. Use the
/// functions in the transaction of the caller.
public enum SecretLinks {
  /// The migration that creates the table.
  ///
  /// It must run after the migration that creates the table `account` with its key `id`.
  ///
  /// - Parameter options: The end of a table's definition, such as ` STRICT`.
  public static func migration(options: SQL = "") -> Migration {
    Migration(
      "keep secret links",
      """
      CREATE TABLE secret_link (
        account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        topic TEXT NOT NULL,
        hash TEXT UNIQUE NOT NULL,
        PRIMARY KEY (account, topic)
      )\(options)
      """)
  }

  /// Makes the text for a topic of an account, which replaces the earlier text.
  public static func make(
    for topic: String, of account: String, _ random: Secret.Source = Secret.system,
    in transaction: any WriteTransaction
  ) throws -> String {
    let code = Secret.make(random)
    try transaction.execute(
      """
      INSERT INTO secret_link (account, topic, hash)
      VALUES (\(account), \(topic), \(Secret.hash(code)))
      ON CONFLICT (account, topic) DO UPDATE SET hash = excluded.hash
      """)
    return code
  }

  /// The account and the topic of a text; nil if it was replaced or never made.
  public static func owner(
    of code: String, in transaction: any ReadTransaction
  ) throws -> (account: String, topic: String)? {
    // The system's hash function refuses long texts.
    guard code.utf8.count == Secret.length else { return nil }
    let query: SQL = try "SELECT account, topic FROM secret_link WHERE hash = \(Secret.hash(code))"
    return try transaction.row(query, as: Row.self).map { ($0.account, $0.topic) }
  }

  /// Ends the texts of an account.
  ///
  /// - Parameters:
  ///   - topic: The topic of the text that ends; nil for all texts.
  ///   - account: The account for which the texts were made.
  ///   - transaction: The transaction in which they are removed.
  public static func remove(
    _ topic: String? = nil, of account: String, in transaction: any WriteTransaction
  ) throws {
    let only: SQL = topic.map { "AND topic = \($0)" } ?? ""
    try transaction.execute("DELETE FROM secret_link WHERE account = \(account) \(only)")
  }

  private struct Row: Decodable { var account, topic: String }
}

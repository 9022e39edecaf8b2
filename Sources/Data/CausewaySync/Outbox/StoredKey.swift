import CausewayBasics
import CausewayDatabase
import CausewayNetwork

/// How the outbox stores the key of a mutation.
///
/// The tables accept each text only once, even for different accounts. If another account has left
/// a mutation with the same key, the account is appended to the stored key. The constraint cannot
/// be changed, because existing files have already applied the migration.
extension SQL {
  /// The column `key` of the outbox or of the dead letters, without an appended account.
  static let key: SQL = """
    CASE WHEN substr(key, -length(account) - 1) = char(31) || account
    THEN substr(key, 1, length(key) - length(account) - 1) ELSE key END AS key
    """

  /// The condition of the row with a key of an account.
  static func isKey(_ key: IdempotencyKey, of account: AccountID) -> SQL {
    "key IN (\(key), \(marked(key, account))) AND account = \(account)"
  }

  fileprivate static func marked(_ key: IdempotencyKey, _ account: AccountID) -> String {
    "\(key.rawValue)\u{1F}\(account.rawValue)"
  }
}

extension ReadTransaction {
  /// The text to store as the key of a new entry of an account.
  ///
  /// - Complexity: O(log entries).
  func storedKey(
    _ key: IdempotencyKey, of account: AccountID
  ) throws(PersistenceError) -> String {
    let isTaken = try row(
      """
      SELECT EXISTS (SELECT 1 FROM sync_outbox WHERE key = \(key) AND account <> \(account))
      OR EXISTS (SELECT 1 FROM sync_dead_letter WHERE key = \(key) AND account <> \(account))
      """, as: Bool.self)
    return isTaken == true ? SQL.marked(key, account) : key.rawValue
  }
}

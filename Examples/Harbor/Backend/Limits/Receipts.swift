import CausewayData
import Foundation

/// The receipts of applied requests, which make a repeated request have no further effect.
enum Receipts {
  /// Numbers the receipts of each account, so that the oldest can be removed.
  static func migration(integer: SQL) -> Migration {
    Migration(
      "number the receipts of accounts",
      "ALTER TABLE receipt ADD COLUMN number \(integer) NOT NULL DEFAULT 0",
      "CREATE INDEX receipt_number ON receipt (account, number)",
      "CREATE INDEX token_account ON token (account)")
  }

  /// Stores a receipt; returns false if the account has a receipt with this key.
  @discardableResult
  static func add(
    _ answer: String, key: String, of account: String, at date: Date,
    in transaction: any WriteTransaction
  ) throws -> Bool {
    try transaction.executeAndCount(
      """
      INSERT INTO receipt (account, key, answer, created, number)
      VALUES (
        \(account), \(key), \(answer), \(date.timeIntervalSince1970),
        (SELECT coalesce(max(number), 0) + 1 FROM receipt WHERE account = \(account)))
      ON CONFLICT DO NOTHING
      """) == 1
  }

  /// Removes the oldest receipts of an account beyond the limit.
  ///
  /// A device repeats a request within minutes after it is connected again. So a receipt that the
  /// account has followed with thousands of others is no longer needed.
  ///
  /// Complexity: O(*n*) in the number of removed receipts.
  static func removeOldest(
    of account: String, within quotas: Quotas, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      DELETE FROM receipt WHERE account = \(account) AND number <= (
        SELECT max(number) FROM receipt WHERE account = \(account)) - \(quotas[.receipts])
      """)
  }
}

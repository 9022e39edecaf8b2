public import CausewayDatabase
public import Foundation

/// The receipts of applied requests; with a receipt, a repeated request has no further effect.
///
/// Store the receipt in the transaction of the change. The receipts are in the table `receipt`,
/// which ``table(real:options:)`` and ``numbers(integer:)`` make.
public enum Receipts {
  /// The statement that makes the table.
  ///
  /// - Parameters:
  ///   - real: The database's type of floating-point numbers.
  ///   - options: The end of a table's definition, such as ` STRICT`.
  public static func table(real: SQL = "DOUBLE PRECISION", options: SQL = "") -> SQL {
    """
    CREATE TABLE receipt (
      account TEXT NOT NULL,
      key TEXT NOT NULL,
      answer TEXT NOT NULL,
      created \(real) NOT NULL,
      PRIMARY KEY (account, key)
    )\(options)
    """
  }

  /// The statements that number the receipts of each account.
  ///
  /// By these numbers, the oldest receipts can be found and removed. Run the statements in a
  /// migration after ``table(real:options:)``.
  public static func numbers(integer: SQL = "BIGINT") -> SQL {
    """
    ALTER TABLE receipt ADD COLUMN number \(integer) NOT NULL DEFAULT 0;
    CREATE INDEX receipt_number ON receipt (account, number)
    """
  }

  /// Stores a receipt; returns false if the account has a receipt with this key.
  @discardableResult
  public static func add(
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

  /// The answer of a stored receipt; nil if there is none.
  public static func answer(
    to key: String, of account: String, in transaction: any ReadTransaction
  ) throws -> String? {
    try transaction.row(
      "SELECT answer FROM receipt WHERE account = \(account) AND key = \(key)", as: String.self)
  }

  /// Removes the oldest receipts of an account beyond a limit.
  ///
  /// A client repeats a request within minutes after it is connected again. So a receipt is no
  /// longer needed when the account has thousands of newer ones.
  ///
  /// Complexity: O(*n*) in the number of removed receipts.
  public static func removeOldest(
    of account: String, limit: Int, in transaction: any WriteTransaction
  ) throws {
    try transaction.execute(
      """
      DELETE FROM receipt WHERE account = \(account) AND number <= (
        SELECT max(number) FROM receipt WHERE account = \(account)) - \(limit)
      """)
  }
}

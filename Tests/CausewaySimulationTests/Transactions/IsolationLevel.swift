/// How well transactions are isolated from each other.
///
/// Each level also has the promises of the levels before it.
enum IsolationLevel: Sendable, Hashable, CaseIterable {
  /// Transactions read only what committed transactions have written.
  case readCommitted
  /// Each transaction reads from one moment, and no update is lost. Two transactions that read the
  /// same and write different things can still contradict each other (write skew).
  case snapshot
  /// The result is that of some order of the transactions.
  case serializable
  /// In this order, each transaction comes after those that ended before it began.
  case strictSerializable
}

/// Transactions that contradict the promises of an isolation level.
struct IsolationViolation: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of violations.
  enum Kind: String, Sendable, Hashable {
    /// A transaction read a value of a transaction that was rolled back.
    case abortedRead = "aborted read"
    /// A transaction read only some of the values that another one appended to a list.
    case intermediateRead = "intermediate read"
    /// A transaction read a value that no transaction appended.
    case unknownValue = "unknown value"
    /// A list contains a value twice.
    case duplicate = "duplicate"
    /// Two transactions read a list in orders that no list can have had.
    case contradictingOrders = "contradicting orders"
    /// Each of several transactions must come before the next one, and the last one before the first.
    case cycle
  }

  /// The kind of the violation.
  let kind: Kind
  /// The transactions and their operations.
  let description: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    description = "\(kind.rawValue): \(text)"
  }
}

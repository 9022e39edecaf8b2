/// Why an outbox did not do what it was asked.
public enum OutboxError: Error, Sendable, Hashable {
  /// There are as many entries as the outbox may hold; the number is the limit.
  case full(Int)
  /// The mutation is being sent or may have been: undo it with another mutation.
  case alreadySent(IdempotencyKey)
  /// There is no such entry or dead letter in the account that is signed in.
  case notFound(IdempotencyKey)
}

extension OutboxError: CustomStringConvertible {
  /// What happened and what to do about it.
  public var description: String {
    switch self {
    case .full(let limit):
      "The outbox holds \(limit) mutations that the server has not taken, or that no read has "
        + "shown since. Wait for a connection, have the engines read, or raise the outbox's limit."
    case .alreadySent(let key):
      "Mutation \(key) may have reached the server. Undo it with another mutation."
    case .notFound(let key):
      "There is no mutation \(key) in this account. It may have been sent or removed."
    }
  }
}

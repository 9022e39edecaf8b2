public import CausewayBasics
public import CausewayNetwork
public import Foundation

/// The reasons why a call of an outbox fails.
public enum OutboxError: Error, Sendable, Hashable {
  /// The outbox holds as many entries as its limit, which is the associated value.
  case full(Int)
  /// The mutation may have been sent.
  ///
  /// Undo it with another mutation.
  case alreadySent(IdempotencyKey)
  /// A dead letter cannot be sent again, because it requires another dead letter.
  ///
  /// The values are the key of the dead letter and the key of the required one. To send both again,
  /// send the required one again. To send the first one alone, discard the required one.
  case requiresDeadLetter(IdempotencyKey, IdempotencyKey)
  /// Setting a mutation aside would make more dead letters than their limit, which is the value.
  case tooManyDeadLetters(Int)
  /// The account that is signed in has no entry or dead letter with this key.
  case notFound(IdempotencyKey)
  /// The mutation is in a request that the server has not answered yet.
  case isSending(IdempotencyKey)
  /// The account is signed in, so its data is only removed by a logout.
  case signedIn(AccountID)
}

extension OutboxError: CustomStringConvertible {
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .full(let limit):
      "The outbox holds \(limit) mutations that the server has not accepted or that no read has "
        + "covered. Wait for a connection, let the engines read, or raise the outbox's limit."
    case .alreadySent(let key):
      "Mutation \(key) may have reached the server. Undo it with another mutation."
    case .requiresDeadLetter(let key, let required):
      "Mutation \(key) requires mutation \(required), which is a dead letter. Send \(required) again "
        + "or discard it first."
    case .tooManyDeadLetters(let limit):
      "The mutation and those that follow it would exceed the limit of \(limit) dead letters. Send "
        + "dead letters again, discard some, or raise the outbox's limit for them."
    case .notFound(let key):
      "There is no mutation \(key) in this account. It may have been sent or removed."
    case .isSending(let key):
      "Mutation \(key) is being sent. Try again after the server has answered."
    case .signedIn(let account):
      "Account \(account) is signed in. Log out to remove its data."
    }
  }
}

extension OutboxError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .full: "Too many changes wait for the server. Try again when you are connected."
    case .alreadySent: "This change was sent already. Undo it with another change."
    case .requiresDeadLetter: "This change needs a change that was refused. Send that change first."
    case .tooManyDeadLetters:
      "Too many changes were refused or set aside. Send some of them again, or discard them."
    case .notFound: "This change is no longer waiting."
    case .isSending: "This change is being sent. Try again in a moment."
    case .signedIn: "You are signed in with this account. Sign out to remove its data."
    }
  }
}

import Synchronization

/// The right to store something for an account, until that account's session ends.
///
/// Code that starts work for an account takes the present ticket, and checks it where the result
/// is stored: inside the transaction, or on the actor that keeps the value, with no `await` between
/// the check and the storing. After a logout the check fails, even if the same account signs in
/// again, so that nothing comes back that the logout has wiped.
///
/// Safe to use from anywhere; holds no reference to the session service.
public struct SessionTicket: Sendable {
  /// The account that was signed in.
  public let account: AccountID

  /// The session's number; later sessions have higher ones.
  public let epoch: Int

  private let current: CurrentEpoch

  init(account: AccountID, epoch: Int, current: CurrentEpoch) {
    self.account = account
    self.epoch = epoch
    self.current = current
  }

  /// Whether the session goes on.
  public var isCurrent: Bool { current.number == epoch }

  /// Fails when the session has ended.
  ///
  /// - Throws: `SessionError.ended`.
  public func check() throws(SessionError) {
    guard isCurrent else { throw .ended(account) }
  }
}

extension SessionTicket: Equatable {
  /// Whether two tickets are of the same session.
  public static func == (left: SessionTicket, right: SessionTicket) -> Bool {
    left.epoch == right.epoch && left.current === right.current
  }
}

/// The number of the session that goes on; read inside transactions, on any thread.
final class CurrentEpoch: Sendable {
  private let value = Mutex(0)

  var number: Int { value.withLock { $0 } }

  /// Ends whatever session there is; returns the number that a new one would have.
  @discardableResult
  func advance() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

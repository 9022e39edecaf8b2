import Synchronization

/// The right to store data of an account, until that account's session ends.
///
/// Code that starts work for an account takes the current ticket. It checks the ticket where it
/// stores the result: inside the transaction, or on the actor that holds the value. There must be
/// no `await` between the check and the store. After a logout the check fails, even if the same
/// account signs in again. So a late result cannot restore data that the logout has removed.
///
/// Any thread may use a ticket. It holds no reference to the session service.
public struct SessionTicket: Sendable {
  /// The account that was signed in.
  public let account: AccountID

  /// The number of the session.
  ///
  /// Later sessions have higher numbers.
  public let epoch: Int

  let current: CurrentEpoch

  init(account: AccountID, epoch: Int, current: CurrentEpoch) {
    self.account = account
    self.epoch = epoch
    self.current = current
  }

  /// Whether the session is still current.
  public var isCurrent: Bool { current.number == epoch }

  /// Throws if the session has ended.
  ///
  /// - Throws: `SessionError.ended`.
  public func check() throws(SessionError) {
    guard isCurrent else { throw .ended(account) }
  }
}

extension SessionTicket: Equatable {
  /// Whether two tickets belong to the same session.
  public static func == (left: SessionTicket, right: SessionTicket) -> Bool {
    left.epoch == right.epoch && left.current === right.current
  }
}

/// The number of the current session; read inside transactions, on any thread.
final class CurrentEpoch: Sendable {
  private struct State {
    var number = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  var number: Int { state.withLock(\.number) }

  /// Ends the current session, if any; returns the number for the next one.
  ///
  /// The caller must call the observers without a lock, because they cancel tasks of the app.
  func advance() -> (number: Int, observers: [@Sendable () -> Void]) {
    state.withLock { state in
      state.number += 1
      defer { state.observers = [:] }
      return (state.number, state.observers.values.map(\.self))
    }
  }

  /// Calls a closure when the session ends, or now if the session has already ended.
  func atEnd(of epoch: Int, _ observer: @escaping @Sendable () -> Void) -> Registration? {
    let id: Int? = state.withLock { state in
      guard state.number == epoch else { return nil }
      defer { state.next += 1 }
      state.observers[state.next] = observer
      return state.next
    }
    guard let id else {
      observer()
      return nil
    }
    return Registration { [weak self] in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
    }
  }
}

/// An owner of an account's data, such as a cache, a store, a table, or running work.
///
/// ```swift
/// session.add(SessionParticipant("pictures") { [pictures] _ in
///   try await pictures.removeAll()
/// })
/// ```
///
/// A logout or a sign-in first calls ``wipe`` of all participants, and then ``erase`` of all
/// participants. So the remains in a file that several participants use are erased only once.
///
/// If the server ends a session, ``expire`` is called in place of ``wipe``.
public struct SessionParticipant: Sendable {
  /// The data to remove.
  public enum Wipe: Sendable, Hashable {
    /// The data of this account, because this account signs out.
    case only(AccountID)
    /// The data of all accounts except this one, because this account signs in.
    ///
    /// This includes data that was left because a process ended during a logout. A participant that
    /// stores nothing across restarts has nothing to remove. Unsent changes of other accounts are
    /// kept if the participant knows to which account they belong, because the server may have
    /// ended the sessions of these accounts.
    case allExcept(AccountID)
  }

  /// The name for error messages.
  public var name: String

  /// Called at once when a session begins, or when the participant is added during a session.
  ///
  /// It must not wait. If the session has ended in the meantime, the ticket is already invalid.
  public var began: @Sendable (SessionTicket) -> Void

  /// Called at once when a session ends, before any data is removed.
  ///
  /// It must cancel running work.
  ///
  /// It must not wait. The tickets of the session are already invalid.
  public var ended: @Sendable (SessionTicket) -> Void

  /// Removes data; the logout or the sign-in waits for it.
  ///
  /// It runs off the caller's actor, and must be safe to repeat.
  public var wipe: @concurrent @Sendable (Wipe) async throws -> Void

  /// Removes the data of an account whose session has ended without a logout.
  ///
  /// The server has ended the session, or another account has signed in. The person has not decided
  /// to remove the data, so unsent changes are kept until the account signs in again. The default
  /// calls ``wipe`` with ``Wipe/only(_:)``, which is correct for data that the server can send
  /// again. The closure runs off the caller's actor, and must be safe to repeat.
  public var expire: @concurrent @Sendable (AccountID) async throws -> Void

  /// Removes the remains of the deleted data from files, after all participants were wiped.
  ///
  /// If it throws, the session service reports ``SessionError/notErased(_:_:)``. A logout throws
  /// this error. A sign-in continues, because the data itself is deleted. So a full disk does not
  /// prevent sign-ins. The closure runs off the caller's actor, and must be safe to repeat.
  public var erase: @concurrent @Sendable (Wipe) async throws -> Void

  /// Makes a participant.
  ///
  /// - Parameters:
  ///   - name: The name for error messages.
  ///   - began: Called at once when a session begins.
  ///   - ended: Called at once when a session ends.
  ///   - expire: Removes data of an account and keeps its unsent changes; must be safe to repeat.
  ///     The default removes everything.
  ///   - erase: Removes the remains of deleted data from files; must be safe to repeat.
  ///   - wipe: Removes data of an account; must be safe to repeat.
  public init(
    _ name: String,
    began: @escaping @Sendable (SessionTicket) -> Void = { _ in },
    ended: @escaping @Sendable (SessionTicket) -> Void = { _ in },
    expire: (@concurrent @Sendable (AccountID) async throws -> Void)? = nil,
    erase: @escaping @concurrent @Sendable (Wipe) async throws -> Void = { _ in },
    wipe: @escaping @concurrent @Sendable (Wipe) async throws -> Void
  ) {
    self.name = name
    self.began = began
    self.ended = ended
    self.wipe = wipe
    self.expire = expire ?? { account in try await wipe(.only(account)) }
    self.erase = erase
  }
}

extension SessionParticipant.Wipe {
  /// Whether the data is removed because its account signs out.
  package var isLogout: Bool {
    switch self {
    case .only: true
    case .allExcept: false
    }
  }
}

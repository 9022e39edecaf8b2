/// Something that holds data of the signed-in account: a cache, a store, a table, running work.
///
/// ```swift
/// session.add(SessionParticipant("pictures") { [pictures] _ in
///   try await pictures.removeAll()
/// })
/// ```
public struct SessionParticipant: Sendable {
  /// What to remove.
  public enum Wipe: Sendable, Hashable {
    /// What belongs to an account, because it signs out.
    case only(AccountID)
    /// What belongs to any other account, because this one signs in.
    ///
    /// Finds what a process left that ended in the middle of a logout. A participant that keeps
    /// nothing from one run to the next has nothing to do.
    case allExcept(AccountID)
  }

  /// What error messages call it.
  public var name: String

  /// Called at once when a session begins, or on joining during a session.
  ///
  /// Must not wait. The ticket may be void already, when the session has ended meanwhile.
  public var began: @Sendable (SessionTicket) -> Void

  /// Called at once when a session ends, before anything is wiped: cancels running work.
  ///
  /// Must not wait. Tickets of the session are void already.
  public var ended: @Sendable (SessionTicket) -> Void

  /// Removes data; the logout or sign-in waits for it.
  ///
  /// Runs off the caller's actor. Has to be safe to repeat.
  public var wipe: @concurrent @Sendable (Wipe) async throws -> Void

  /// Makes a participant.
  ///
  /// - Parameters:
  ///   - name: What error messages call it.
  ///   - began: Called at once when a session begins.
  ///   - ended: Called at once when a session ends.
  ///   - wipe: Removes data of an account. Must be safe to repeat.
  public init(
    _ name: String,
    began: @escaping @Sendable (SessionTicket) -> Void = { _ in },
    ended: @escaping @Sendable (SessionTicket) -> Void = { _ in },
    wipe: @escaping @concurrent @Sendable (Wipe) async throws -> Void
  ) {
    self.name = name
    self.began = began
    self.ended = ended
    self.wipe = wipe
  }
}

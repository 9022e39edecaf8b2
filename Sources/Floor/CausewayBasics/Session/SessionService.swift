import Synchronization

/// Holds the session of an app: the account that is signed in, and its valid tickets.
///
/// ```swift
/// let session = SessionService()
/// let ticket = try await session.signIn("ada")
/// try await persistence.write(as: ticket) { try $0.upsert(profile, into: "profile") }
/// try await session.logout()
/// ```
///
/// Any thread may use it. `logout` ends the session before it first suspends.
public final class SessionService: SessionServiceProtocol {
  private struct State {
    var current: SessionTicket?
    var participants: [Int: SessionParticipant] = [:]
    var nextParticipant = 0
    /// Accounts that are signed out, and whose data may still exist.
    var unwiped: [Unwiped] = []
    /// Accounts whose data is deleted, but whose remains may still exist in files.
    var unerased: [AccountID] = []

    /// The participants in the order in which they were added.
    var all: [SessionParticipant] {
      participants.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// An account whose data must be removed.
  private struct Unwiped: Equatable {
    let account: AccountID
    /// Whether the account's unsent changes are kept, because the account has not logged out.
    let keepsUnsent: Bool
  }

  /// The calls that follow the end of a session, after the unlock.
  private struct End {
    let ticket: SessionTicket
    let observers: [@Sendable () -> Void]
    let participants: [SessionParticipant]
    let wakeups: Wakeups<SessionChange>
  }

  private let state: Mutex<State>
  private let epoch = CurrentEpoch()
  private let broadcast: Broadcast<SessionChange>
  private let report: @Sendable (SessionError) -> Void
  /// Runs removals and sign-ins one after another.
  ///
  /// Otherwise a removal could delete data of a newer session.
  let lock = AsyncLock()

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - account: The account whose session has already begun, such as ``AccountID/local`` in an
  ///     app without accounts.
  ///   - report: Called on any thread with each `SessionError.notWiped` and `notErased`, even if
  ///     the caller of `logout` or `signIn` no longer waits.
  public init(
    account: AccountID? = nil, report: @escaping @Sendable (SessionError) -> Void = { _ in }
  ) {
    self.report = report
    let ticket = account.map { [epoch] in
      SessionTicket(account: $0, epoch: epoch.advance().number, current: epoch)
    }
    state = Mutex(State(current: ticket))
    broadcast = Broadcast(.initial(account), buffering: .everything)
  }

  /// The ticket of the current session; `nil` if no account is signed in.
  public var current: SessionTicket? { state.withLock { $0.current } }

  /// Yields the current session and then every change, in order and without a gap.
  public func changes() -> AsyncStream<SessionChange> { broadcast.stream() }

  /// Adds a participant for the life of the service; calls its `began` if a session is running.
  public func add(_ participant: SessionParticipant) {
    insert(participant)
  }

  /// Adds a participant until the returned registration is released.
  ///
  /// If a session is running, this calls the participant's `began`.
  public func join(_ participant: SessionParticipant) -> Registration {
    let id = insert(participant)
    return Registration { [weak self] in
      _ = self?.state.withLock { $0.participants.removeValue(forKey: id) }
    }
  }

  /// Begins a session; ends the previous session, if any, and removes the data of other accounts.
  ///
  /// If the same account is already signed in, its session continues. Unlike a logout, the change
  /// to another account keeps the unsent changes of the previous account.
  @discardableResult
  public func signIn(_ account: AccountID) async throws -> SessionTicket {
    if let ticket = current, ticket.account == account { return ticket }
    let number = end(keepsUnsent: true).next
    return try await lock.withLock {
      try await wipeLeftovers(thenErasing: false)
      try await remove(of: account) { try await $0.wipe(.allExcept(account)) }
      // The rows are deleted. A failure to erase their remains is only reported.
      for account in state.withLock({ $0.unerased }) {
        try? await erase(.only(account), of: account)
      }
      try? await erase(.allExcept(account), of: account)
      try Task.checkCancellation()
      let (ticket, participants) = try begin(account, number)
      for participant in participants { participant.began(ticket) }
      return ticket
    }
  }

  /// Ends the session, removes its data, and then returns.
  ///
  /// It makes the session's tickets invalid at once, and cancels the session's work. If the process
  /// ends before this returns, some data may remain. The next `signIn` removes this data. The next
  /// `logout` also removes it, if the next process makes its service with the account. So an app
  /// removes the account's token last.
  ///
  /// A logout also removes the account's unsent changes. They are kept if the server has already
  /// ended the session; see ``SessionParticipant/expire``.
  public func logout() async throws(SessionError) {
    end(keepsUnsent: false)
    try await finishLogout()
  }

  /// Ends a ticket's session, which the server no longer accepts.
  ///
  /// When this returns, the session has ended. In the background, this removes the data of the
  /// account, and keeps its unsent changes. This does nothing if the session has already ended.
  package func expire(_ ticket: SessionTicket) {
    guard end(only: ticket, keepsUnsent: true).isEnded else { return }
    Task { try? await finishLogout() }
  }

  private func finishLogout() async throws(SessionError) {
    do {
      try await lock.withLock { try await wipeLeftovers(thenErasing: true) }
    } catch let error as SessionError where !Task.isCancelled {
      throw error
    } catch {
      // The task was cancelled. The removal must still be completed, so it runs in a separate task.
      let rest = Task { try await lock.withLock { try await wipeLeftovers(thenErasing: true) } }
      if case .failure(let error as SessionError) = await rest.result { throw error }
    }
  }

  /// Makes all tickets invalid and calls the participants; returns the number of the next session.
  ///
  /// - Parameters:
  ///   - expected: If another session is current, this call ends nothing.
  ///   - keepsUnsent: Whether the removal of the account's data keeps its unsent changes.
  @discardableResult
  private func end(
    only expected: SessionTicket? = nil, keepsUnsent: Bool
  ) -> (next: Int, isEnded: Bool) {
    let (number, end): (Int?, End?) = state.withLock { state in
      if let expected, state.current != expected { return (nil, nil) }
      // Without a current session, there are no observers.
      let (number, observers) = epoch.advance()
      guard let ticket = state.current.take() else { return (number, nil) }
      state.unwiped.append(Unwiped(account: ticket.account, keepsUnsent: keepsUnsent))
      // Added under the lock, so streams yield changes in order.
      let wakeups = broadcast.add(.signedOut(ticket.account), beginning: .initial(nil))
      return (
        number,
        End(
          ticket: ticket, observers: observers, participants: state.all, wakeups: wakeups)
      )
    }
    guard let number else { return (epoch.number, false) }
    if let end {
      for observer in end.observers { observer() }
      end.wakeups.resume()
      for participant in end.participants { participant.ended(end.ticket) }
    }
    return (number, true)
  }

  private func begin(
    _ account: AccountID, _ number: Int
  ) throws -> (SessionTicket, [SessionParticipant]) {
    let (ticket, participants, wakeups) = try state.withLock { state in
      guard epoch.number == number else { throw SessionError.superseded(account) }
      let ticket = SessionTicket(account: account, epoch: number, current: epoch)
      state.current = ticket
      let wakeups = broadcast.add(.signedIn(account), beginning: .initial(account))
      return (ticket, state.all, wakeups)
    }
    wakeups.resume()
    return (ticket, participants)
  }

  private func wipeLeftovers(thenErasing erases: Bool) async throws {
    for unwiped in state.withLock({ $0.unwiped }) {
      let account = unwiped.account
      try await remove(of: account) { participant in
        if unwiped.keepsUnsent {
          try await participant.expire(account)
        } else {
          try await participant.wipe(.only(account))
        }
      }
      state.withLock { state in
        state.unwiped.removeAll { $0 == unwiped }
        if !state.unerased.contains(account) { state.unerased.append(account) }
      }
    }
    guard erases else { return }
    for account in state.withLock({ $0.unerased }) {
      try await erase(.only(account), of: account)
    }
  }

  private func remove(
    of account: AccountID, _ call: (SessionParticipant) async throws -> Void
  ) async throws {
    let leftovers = await callParticipants(call)
    try Task.checkCancellation()
    try check(leftovers) { .notWiped(account, $0) }
  }

  private func erase(_ wipe: SessionParticipant.Wipe, of account: AccountID) async throws {
    let leftovers = await callParticipants { try await $0.erase(wipe) }
    try Task.checkCancellation()
    try check(leftovers) { .notErased(account, $0) }
    if case .only = wipe { state.withLock { $0.unerased.removeAll { $0 == account } } }
  }

  private func check(
    _ leftovers: [SessionError.Leftover], error: ([SessionError.Leftover]) -> SessionError
  ) throws(SessionError) {
    guard !leftovers.isEmpty else { return }
    let error = error(leftovers)
    report(error)
    throw error
  }

  /// Calls every participant, even if another one has failed.
  private func callParticipants(
    _ call: (SessionParticipant) async throws -> Void
  ) async -> [SessionError.Leftover] {
    var leftovers: [SessionError.Leftover] = []
    for participant in state.withLock({ $0.all }) {
      do {
        try await call(participant)
      } catch {
        leftovers.append(.init(name: participant.name, error: error))
      }
    }
    return leftovers
  }

  @discardableResult
  private func insert(_ participant: SessionParticipant) -> Int {
    let (id, ticket) = state.withLock { state in
      defer { state.nextParticipant += 1 }
      state.participants[state.nextParticipant] = participant
      return (state.nextParticipant, state.current)
    }
    if let ticket { participant.began(ticket) }
    return id
  }
}

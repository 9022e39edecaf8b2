/// What an engine's loop is told.
enum SyncSignal: Sendable {
  case began(SessionTicket)
  case ended(SessionTicket)
  case outbox
  case hint(SessionTicket)
  case hintsEnded(SessionTicket, RemoteFailure?)
  case asked
  case retryRequested
  case perform([FollowMachine.Command], SessionTicket?)
}

extension SyncEngine {
  /// Takes in signals in order and performs commands beside each other.
  ///
  /// Holds no engine while it waits, so that one which nobody else holds goes away, and ends then.
  static func run(
    _ inbox: SignalQueue<SyncSignal>, _ find: @escaping @Sendable () -> SyncEngine?
  ) async {
    await withDiscardingTaskGroup { group in
      for await signal in inbox.signals {
        guard let engine = find() else { break }
        guard case .perform(let commands, let ticket) = signal else {
          await engine.take(signal)
          continue
        }
        guard let ticket else { continue }
        for command in commands {
          switch command {
          case .read:
            group.addTask { try? await find()?.read(as: ticket) }
          case .openHints:
            guard let (hints, attempt) = await engine.connect(ticket) else { continue }
            let environment = engine.outbox.environment
            group.addTask { await listen(hints, attempt, inbox, ticket, environment) }
          case .wake(at: let time?):
            let timer = await engine.replaceTimer()
            let environment = engine.outbox.environment
            group.addTask {
              await timer.wait(until: time, environment)
              await find()?.wake(timer)
            }
          case .wake(at: nil):
            await engine.stopTimer()
          case .reached:
            break
          }
        }
      }
      group.cancelAll()
    }
  }

  private static func listen(
    _ hints: AsyncThrowingStream<Void, any Error>, _ attempt: Attempt,
    _ inbox: SignalQueue<SyncSignal>,
    _ ticket: SessionTicket, _ environment: SyncEnvironment
  ) async {
    do {
      try await attempt.perform(timeout: nil, environment) {
        try await ticket.run {
          for try await _ in hints { inbox.send(.hint(ticket), once: .hint) }
        }
      }
      inbox.send(.hintsEnded(ticket, nil))
    } catch {
      // Given up from outside: nobody wants to connect again.
      if Task.isCancelled || attempt.isGivenUp { return }
      inbox.send(.hintsEnded(ticket, RemoteFailure(error)))
    }
  }

  private func take(_ signal: SyncSignal) async {
    switch signal {
    case .began(let ticket):
      guard ticket.isCurrent else { return }
      adopt(ticket)
      handle(.began)
      await count()
    case .ended(let ticket):
      if ticket == self.ticket { forget() }
    case .outbox:
      inbox.taken(.outbox)
      note(outboxChanges.take())
      await count()
    case .hint(let ticket):
      inbox.taken(.hint)
      if ticket == self.ticket { handle(.connected) }
    case .hintsEnded(let ticket, let failure):
      guard ticket == self.ticket else { return }
      handle(.disconnected(failure, random: outbox.environment.random()))
    case .asked:
      inbox.taken(.asked)
      handle(.hinted)
    case .retryRequested:
      inbox.taken(.retryRequested)
      handle(.retryRequested)
    case .perform:
      break
    }
  }

  private func note(_ digest: PendingOutboxChanges.Digest) {
    guard ticket != nil else { return }
    switch digest.lastEnd {
    case .failed(let failure), .rejected(let failure):
      mutationError = failure
      publish()
    case .acknowledged:
      mutationError = nil
      publish()
    case .stored, .removed, nil:
      break
    }
    if digest.needsRead { handle(.acknowledged) }
  }

  /// Counts the entries that stored data does not show, and publishes it.
  func count() async {
    guard let ticket else { return }
    let request = SyncRequest(account: ticket.account, scope: scope)
    let count = try? await outbox.persistence.read { [table] in
      try table.pendingCount(request, in: $0)
    }
    guard let count, ticket == self.ticket, ticket.isCurrent else { return }
    pendingCount = count
    publish()
  }

  /// Begins to work for a session, if that was not done.
  func adopt(_ ticket: SessionTicket) {
    guard ticket != self.ticket, ticket.isCurrent else { return }
    forget()
    self.ticket = ticket
  }

  /// Forgets the session and gives up what is under way for it.
  func forget() {
    ticket = nil
    attempt?.giveUp()
    attempt = nil
    hints?.giveUp()
    hints = nil
    stopTimer()
    machine = FollowMachine(table: machine.table, pollInterval: machine.pollInterval)
    pendingCount = 0
    mutationError = nil
    begunReads = 0
    succeededRead = 0
    isBehind = false
    publish()
  }

  /// Has the machine decide, and the loop perform its commands in the order of the decisions.
  func handle(_ event: FollowMachine.Event) {
    var commands = machine.handle(event, now: outbox.environment.now())
    if commands.contains(.reached) {
      // Not left to the loop, which need not run for a refresh.
      outbox.retryNow()
      commands.removeAll { $0 == .reached }
    }
    if !commands.isEmpty { inbox.send(.perform(commands, ticket)) }
    publish()
  }

  func publish() {
    let status = SyncStatus(
      phase: machine.phase, pendingCount: pendingCount,
      lastError: machine.lastError ?? mutationError)
    guard status != published else { return }
    published = status
    statusBroadcast.send(status, beginning: status)
  }

  private func connect(
    _ ticket: SessionTicket
  ) -> (AsyncThrowingStream<Void, any Error>, Attempt)? {
    guard ticket == self.ticket, ticket.isCurrent else { return nil }
    hints?.giveUp()
    let request = SyncRequest(account: ticket.account, scope: scope)
    // A task that the source makes for its stream works for the account, too.
    let stream = SessionTicket.$runningAccount.withValue(ticket.account) { source.hints(request) }
    guard let stream else {
      handle(.noHints)
      return nil
    }
    let attempt = Attempt()
    hints = attempt
    return (stream, attempt)
  }

  private func replaceTimer() -> Attempt {
    timer?.giveUp()
    let attempt = Attempt()
    timer = attempt
    return attempt
  }

  func stopTimer() {
    timer?.giveUp()
    timer = nil
  }

  private func wake(_ timer: Attempt) {
    guard timer === self.timer else { return }
    self.timer = nil
    handle(.woken)
  }
}

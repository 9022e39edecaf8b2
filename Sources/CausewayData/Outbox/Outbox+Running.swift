import Foundation

extension Outbox {
  /// What the outbox's loop is told.
  enum Signal: Sendable {
    case began(SessionTicket)
    case ended(SessionTicket)
    case registered(String)
    case stored
    case retryRequested
    case perform([OutboxMachine.Command])
  }

  /// Takes in signals in order and performs commands beside each other.
  ///
  /// Holds no outbox while it waits, so that one which nobody else holds goes away, and ends then.
  static func run(_ inbox: SignalQueue<Signal>, _ find: @escaping @Sendable () -> Outbox?) async {
    await withDiscardingTaskGroup { group in
      for await signal in inbox.signals {
        guard let outbox = find() else { break }
        guard case .perform(let commands) = signal else {
          await outbox.take(signal)
          continue
        }
        for command in commands {
          switch command {
          case .send(let sequence):
            group.addTask { await send(sequence, find) }
          case .wake(at: let time?):
            let timer = await outbox.replaceTimer()
            let environment = outbox.environment
            group.addTask {
              await timer.wait(until: time, environment)
              await find()?.wake(timer)
            }
          case .wake(at: nil):
            await outbox.stopTimer()
          case .load:
            await outbox.load()
          case .store:
            break
          }
        }
      }
      group.cancelAll()
    }
  }

  private func take(_ signal: Signal) async {
    switch signal {
    case .began(let ticket):
      adopt(ticket)
      await load()
    case .ended(let ticket):
      if ticket == self.ticket { forget() }
    case .registered(let collection):
      inbox.taken(.registered(collection))
      handle(.registered(collection))
    case .stored:
      inbox.taken(.stored)
      await load()
    case .retryRequested:
      inbox.taken(.retryRequested)
      handle(.retryRequested)
      await load()
    case .perform:
      break
    }
  }

  /// Takes in what others have committed, this process or another one.
  ///
  /// The order of entries is that of their commits, which calls that return in another order do not
  /// change.
  private func load() async {
    guard let ticket else { return }
    let known = machine.loadedUpTo
    let loaded = try? await persistence.read {
      try $0.waitingEntries(of: ticket.account, after: known)
    }
    guard ticket == self.ticket, ticket.isCurrent else { return }
    if let loaded {
      handle(.loaded(loaded.map(item)))
    } else {
      handle(.notLoaded(random: environment.random()))
    }
  }

  private func item(_ entry: WaitingEntry) -> OutboxMachine.Item {
    var due = Duration.zero
    if let next = entry.nextAttempt {
      let wait = Duration.seconds(next.timeIntervalSince(environment.date()))
      // A date that is farther away than any wait was written before the clock was set back.
      due = environment.now() + min(max(wait, .zero), machine.table.backoff.cap)
    }
    return .init(
      sequence: entry.sequence, collection: entry.collection, scope: entry.scope,
      attempts: entry.attempts, due: due)
  }

  /// Begins to work for a session, if that was not done.
  func adopt(_ ticket: SessionTicket) {
    guard ticket != self.ticket, ticket.isCurrent else { return }
    forget()
    self.ticket = ticket
  }

  /// Forgets the session's entries and gives up what is under way for it.
  func forget() {
    ticket = nil
    for attempt in attempts.values { attempt.giveUp() }
    attempts = [:]
    handle(.reset)
  }

  /// Has the machine decide, and the loop perform its commands in the order of the decisions.
  ///
  /// - Returns: What has to be stored; the caller does that.
  @discardableResult
  func handle(_ event: OutboxMachine.Event) -> OutboxMachine.Change? {
    var change: OutboxMachine.Change?
    perform(
      machine.handle(event, now: environment.now()).filter {
        guard case .store(_, let stored) = $0 else { return true }
        change = stored
        return false
      })
    return change
  }

  func perform(_ commands: [OutboxMachine.Command]) {
    if !commands.isEmpty { inbox.send(.perform(commands)) }
  }

  private func replaceTimer() -> Attempt {
    timer?.giveUp()
    let attempt = Attempt()
    timer = attempt
    return attempt
  }

  private func stopTimer() {
    timer?.giveUp()
    timer = nil
  }

  private func wake(_ timer: Attempt) {
    guard timer === self.timer else { return }
    self.timer = nil
    handle(.woken)
  }
}

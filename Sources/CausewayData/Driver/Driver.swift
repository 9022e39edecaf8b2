import Synchronization

/// Runs the loop of a ``DrivenActor``: takes in signals in order, does work beside it, and wakes the
/// actor at the time that its machine has named.
///
/// The loop holds the actor only while it takes in a signal. An actor that nothing else holds goes
/// away, and its loop ends.
final class Driver<Host: DrivenActor>: Sendable {
  /// Returns the actor, or `nil` once it has gone.
  typealias Find = @Sendable () -> Host?
  typealias Work = @Sendable (_ find: @escaping Find) async -> Void

  enum Input: Sendable {
    /// A session has begun or ended.
    case session
    case signal(Host.Signal)
    /// The time of the alarm has changed.
    case alarm
    case work(Work)
  }

  /// The inputs of which one in the queue is as good as many.
  enum Kind: Hashable, Sendable {
    case session
    case signal(Host.Signal)
    case alarm
  }

  private struct State {
    var loop: Task<Void, Never>?
    var isRunning = false
    var membership: Registration?
    /// The session that the actor works for.
    var ticket: SessionTicket?
    /// A session that has begun and that the loop has not taken in.
    var begun: SessionTicket?
    var alarmTime: Duration?
    var alarm: Attempt?
  }

  let environment: SyncEnvironment
  let queue = SignalQueue<Input, Kind>()
  private let state = Mutex(State())

  init(environment: SyncEnvironment) {
    self.environment = environment
  }

  /// The ticket of the session that the actor works for.
  var ticket: SessionTicket? { state.withLock(\.ticket) }

  /// Whether the loop has begun, so that work will be done.
  var isRunning: Bool { state.withLock(\.isRunning) }

  /// Has the actor follow a session service from now on.
  func join(_ session: any SessionServiceProtocol, as name: String, _ host: Host) {
    let membership = session.join(
      SessionParticipant(
        name,
        began: { [weak self] ticket in
          self?.state.withLock { $0.begun = ticket }
          self?.queue.send(.session, once: .session)
        },
        ended: { [weak self] _ in self?.queue.send(.session, once: .session) },
        wipe: { [weak host] _ in await host?.endSession() }))
    state.withLock { $0.membership = membership }
  }

  /// Runs the loop in a task of its own until the actor has gone; does nothing the second time.
  func start(_ host: Host) {
    state.withLock { state in
      guard state.loop == nil else { return }
      state.loop = Task { [weak host] in await self.run { [weak host] in host } }
    }
  }

  /// Ends the loop; the actor calls this when it goes away.
  func finish() {
    queue.finish()
    let (loop, membership) = state.withLock { ($0.loop, $0.membership.take()) }
    loop?.cancel()
    withExtendedLifetime(membership) {}
  }

  /// Tells the actor something; equal signals count as one until the loop takes them in.
  func send(_ signal: Host.Signal) {
    queue.send(.signal(signal), once: .signal(signal))
  }

  /// Does work in a child task of the loop.
  func spawn(_ work: @escaping Work) {
    queue.send(.work(work))
  }

  /// Wakes the actor at a time on the environment's clock, and not at the time named before.
  func setAlarm(at time: Duration?) {
    let former: Attempt? = state.withLock { state in
      guard time != state.alarmTime else { return nil }
      state.alarmTime = time
      return state.alarm.take()
    }
    former?.giveUp()
    if time != nil { queue.send(.alarm, once: .alarm) }
  }

  /// Takes in inputs until the loop's task is cancelled, the queue ends or the actor has gone.
  func run(_ find: @escaping Find) async {
    state.withLock { $0.isRunning = true }
    await withDiscardingTaskGroup { group in
      for await input in queue.signals {
        guard let host = find() else { break }
        switch input {
        case .session:
          queue.taken(.session)
          await host.changeSession()
        case .signal(let signal):
          queue.taken(.signal(signal))
          await host.take(signal)
        case .alarm:
          queue.taken(.alarm)
          guard let (alarm, time) = startAlarm() else { continue }
          group.addTask { [environment] in
            await alarm.wait(until: time, environment)
            if self.endAlarm(alarm) { await find()?.wake() }
          }
        case .work(let work):
          group.addTask { await work(find) }
        }
      }
      group.cancelAll()
    }
  }

  private func startAlarm() -> (Attempt, Duration)? {
    state.withLock { state in
      guard let time = state.alarmTime, state.alarm == nil else { return nil }
      let alarm = Attempt()
      state.alarm = alarm
      return (alarm, time)
    }
  }

  /// Returns whether the alarm still counts.
  private func endAlarm(_ alarm: Attempt) -> Bool {
    state.withLock { state in
      guard state.alarm === alarm else { return false }
      (state.alarm, state.alarmTime) = (nil, nil)
      return true
    }
  }

  fileprivate func setTicket(_ ticket: SessionTicket?) {
    state.withLock { $0.ticket = ticket }
  }

  fileprivate func takeBegun() -> SessionTicket? {
    state.withLock { $0.begun.take() }
  }
}

/// An actor that keeps its promises through a machine, which decides, and a ``Driver``, which runs its
/// loop.
protocol DrivenActor: Actor {
  /// What the actor can be told.
  associatedtype Signal: Hashable & Sendable

  nonisolated var driver: Driver<Self> { get }

  /// Begins to work for the session of the driver's ticket.
  func sessionBegan() async
  /// Forgets what belongs to the session that has ended, and gives up what is under way for it.
  func forget()
  /// Takes in a signal.
  func take(_ signal: Signal) async
  /// Asks the machine what to do now, at the time that it has named.
  func wake()
}

extension DrivenActor {
  /// Works for a session from now on, if it goes on and the actor does not work for it already.
  func adopt(_ ticket: SessionTicket) {
    guard ticket != driver.ticket, ticket.isCurrent else { return }
    endSession()
    driver.setTicket(ticket)
  }

  /// Works for no session from now on.
  func endSession() {
    driver.setTicket(nil)
    forget()
  }

  fileprivate func changeSession() async {
    if let ticket = driver.ticket, !ticket.isCurrent { endSession() }
    guard let begun = driver.takeBegun(), begun.isCurrent else { return }
    adopt(begun)
    await sessionBegan()
  }
}

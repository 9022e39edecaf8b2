import CausewayBasics
import Synchronization

/// Runs the loop of a ``LoopingActor``.
///
/// The loop processes signals in order, runs work in child tasks, and wakes the actor at the time
/// that its machine has named. The loop holds the actor only while it processes a signal. If no
/// other code holds the actor, the actor is released and the loop ends.
final class ActorLoop<Host: LoopingActor>: Sendable {
  /// Returns the actor, or `nil` after the actor was released.
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

  /// The kinds of input that the queue contains at most once.
  enum Kind: Hashable, Sendable {
    case session
    case signal(Host.Signal)
    case alarm
  }

  private struct State {
    var task: Task<Void, Never>?
    var isRunning = false
    /// Whether the loop has ended; it does not run again.
    var hasEnded = false
    var membership: Registration?
    /// The session that the actor works for.
    var ticket: SessionTicket?
    /// A session that has begun and that the loop has not processed yet.
    var begun: SessionTicket?
    var alarmTime: Duration?
    var alarm: Attempt?
  }

  let surroundings: Surroundings
  let queue = SignalQueue<Input, Kind>()
  private let state = Mutex(State())

  init(surroundings: Surroundings) {
    self.surroundings = surroundings
  }

  /// The ticket of the session that the actor works for.
  var ticket: SessionTicket? { state.withLock(\.ticket) }

  /// Whether the loop processes its inputs.
  var isRunning: Bool { state.withLock(\.isRunning) }

  /// Makes the actor follow a session service.
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

  /// Runs the loop in its own task until the actor is released; a second call does nothing.
  func start(_ host: Host) {
    state.withLock { state in
      guard state.task == nil else { return }
      state.task = Task { [weak host] in await self.run { [weak host] in host } }
    }
  }

  /// Ends the loop; the actor calls this in its `deinit`.
  func finish() {
    queue.finish()
    let (task, membership) = state.withLock { ($0.task, $0.membership.take()) }
    task?.cancel()
    withExtendedLifetime(membership) {}
  }

  /// Sends a signal to the actor; equal signals count as one until the loop processes them.
  func send(_ signal: Host.Signal) {
    queue.send(.signal(signal), once: .signal(signal))
  }

  /// Runs work in a child task of the loop.
  ///
  /// When the loop ends, it drops the work that it has not begun; see ``LoopingActor/loopEnded()``.
  ///
  /// - Returns: `false` if the loop has ended.
  @discardableResult
  func spawn(_ work: @escaping Work) -> Bool {
    if state.withLock(\.hasEnded) { return false }
    queue.send(.work(work))
    return true
  }

  /// Wakes the actor at a time on the clock; replaces the previous time.
  func setAlarm(at time: Duration?) {
    let former: Attempt? = state.withLock { state in
      guard time != state.alarmTime else { return nil }
      state.alarmTime = time
      return state.alarm.take()
    }
    former?.giveUp()
    if time != nil { queue.send(.alarm, once: .alarm) }
  }

  /// Processes inputs until the loop's task is cancelled, the queue ends or the actor is released.
  func run(_ find: @escaping Find) async {
    state.withLock { $0.isRunning = true }
    defer { state.withLock { $0.isRunning = false } }
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
          group.addTask { [surroundings] in
            await alarm.wait(until: time, surroundings)
            if self.endAlarm(alarm) { await find()?.wake() }
          }
        case .work(let work):
          group.addTask { await work(find) }
        }
      }
      group.cancelAll()
    }
    state.withLock { $0.hasEnded = true }
    await find()?.loopEnded()
  }

  private func startAlarm() -> (Attempt, Duration)? {
    state.withLock { state in
      guard let time = state.alarmTime, state.alarm == nil else { return nil }
      let alarm = Attempt()
      state.alarm = alarm
      return (alarm, time)
    }
  }

  /// Returns whether the alarm is still the current one.
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

/// An actor with an ``ActorLoop``, and with a machine that makes its decisions.
protocol LoopingActor: Actor {
  /// The type of the actor's signals.
  associatedtype Signal: Hashable & Sendable

  nonisolated var loop: ActorLoop<Self> { get }

  /// Begins to work for the session of the loop's ticket.
  func sessionBegan() async
  /// Drops the state of the ended session, and cancels its requests.
  func reset()
  /// Processes a signal.
  func take(_ signal: Signal) async
  /// Passes the alarm to the machine.
  func wake()
  /// Called after the loop has ended, to handle the work that the loop has not begun.
  func loopEnded()
}

extension LoopingActor {
  func loopEnded() {}

  /// Begins to work for a session, if it is current and the actor does not already work for it.
  func adopt(_ ticket: SessionTicket) {
    guard ticket != loop.ticket, ticket.isCurrent else { return }
    endSession()
    loop.setTicket(ticket)
  }

  /// Stops working for the current session.
  func endSession() {
    loop.setTicket(nil)
    reset()
  }

  fileprivate func changeSession() async {
    if let ticket = loop.ticket, !ticket.isCurrent { endSession() }
    guard let begun = loop.takeBegun(), begun.isCurrent else { return }
    adopt(begun)
    await sessionBegan()
  }
}

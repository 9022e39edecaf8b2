/// A started or waiting effect: one object and one task.
///
/// It does not know the types of its state and actions, so that starting, cancelling and ending
/// effects is compiled once and needs no generic metadata at run time.
@MainActor
@usableFromInline
final class Effect {
  typealias Work = @concurrent @Sendable (Effect) async throws -> Void

  private enum Phase {
    case live, ended, cancelled
  }

  let core: RuntimeCore
  let request: EffectDescription
  let key: EffectKey?
  /// The children that it belongs to and that can go away, innermost first.
  let presences: [ScopePresence<Void>]
  /// What the action that started it is waiting for.
  let cascade: Cascade
  /// Moves into the task when that starts.
  private var work: Work?
  /// Turns an error into state; released with the effect's end.
  private var catchError: (@MainActor (Effect, any Error) -> Void)?
  private(set) var task: Task<Void, Never>?
  /// The places in the runtime's list of effects, negative once it has left it, and in the
  /// cascade's.
  var position = 0
  /// Counts the effects of the runtime.
  var number = 0
  var cascadePosition = 0
  private var phase = Phase.live

  init(
    _ request: EffectDescription,
    _ presences: [ScopePresence<Void>],
    _ core: RuntimeCore,
    _ cascade: Cascade,
    catchError: (@MainActor (Effect, any Error) -> Void)?,
    work: @escaping Work
  ) {
    self.core = core
    self.request = request
    self.presences = presences
    self.key = request.key
    self.cascade = cascade
    self.catchError = catchError
    self.work = work
  }

  /// Starts the task that does the work, after a delay on the runtime's clock if there is one.
  ///
  /// The task belongs to the main actor, where its beginning and its end are booked; only the
  /// work is elsewhere. So an effect whose last act is a send ends in that visit to the main
  /// actor and needs none of its own.
  func start(after delay: Duration?) {
    guard let work else { return }
    self.work = nil
    let executor = core.host?.executor(for: request.id, number: number)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // Saves a visit to the main actor, where this is called anyway.
      task =
        executor == nil
        ? Task.immediate { await self.run(work, delay) }
        : Task.immediate(executorPreference: executor) { await self.run(work, delay) }
    } else {
      task = Task(executorPreference: executor) { await self.run(work, delay) }
    }
  }

  private func run(_ work: Work, _ delay: Duration?) async {
    if let delay {
      try? await core.clock.sleep(for: delay)
      if isCancelled { return }
    }
    do {
      try await work(self)
    } catch is CancellationError {
    } catch {
      fail(error)
    }
    if isCancelled { return }
    phase = .ended
    letGo()
    core.end(self)
  }

  private func fail(_ error: any Error) {
    if isCancelled { return }
    if let catchError {
      catchError(self, error)
    } else {
      core.report(.uncaughtError(error, effect: request.id))
    }
  }

  /// Cancels the task; from here on no send goes through, and work that waits never starts.
  func cancel() {
    phase = .cancelled
    task?.cancel()
    letGo()
  }

  /// Releases what only a running effect needs.
  private func letGo() {
    task = nil
    work = nil
    catchError = nil
  }

  var isCancelled: Bool {
    phase == .cancelled
  }

  /// Whether a send may go through.
  ///
  /// One that was kept beyond the end of its effect may not, and is reported, because nothing
  /// could cancel what it does any more.
  func admits() -> Bool {
    switch phase {
    case .live:
      return true
    case .cancelled:
      return false
    case .ended:
      core.report(.sendAfterEnd(effect: request.id))
      return false
    }
  }
}

extension Effect: CascadeMember {
  func cancelAsMember() {
    core.cancel(self)
  }
}

extension Effect: nonisolated Hashable {
  @usableFromInline
  nonisolated static func == (left: Effect, right: Effect) -> Bool {
    left === right
  }

  @usableFromInline
  nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

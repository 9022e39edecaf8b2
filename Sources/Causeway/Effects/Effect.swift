import Synchronization

/// A started or waiting effect: one object and one task.
///
/// It does not know the types of its state and actions, so that starting, cancelling and ending
/// effects is compiled once and needs no generic metadata at run time.
@MainActor
@usableFromInline
final class Effect {
  typealias Work = @concurrent @Sendable (Effect) async throws -> Void

  /// Decides the race between the task that starts the work and the main actor that cancels it.
  enum Phase: UInt8, AtomicRepresentable {
    case waiting, running, ended, cancelled
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
  nonisolated let phase = Atomic(Phase.waiting)

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
  func start(after delay: Duration?) {
    guard let work = work.take() else { return }
    task = core.makeTask(for: request.id, number: number) { @concurrent in
      if let delay {
        try? await self.core.clock.sleep(for: delay)
      }
      await self.run(work)
    }
  }

  @concurrent
  private nonisolated func run(_ work: Work) async {
    // Whoever comes first, this or `cancel()`: cancelled work never starts.
    let (isFirst, _) = phase.compareExchange(
      expected: .waiting, desired: .running, ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    do {
      try await work(self)
    } catch is CancellationError {
    } catch {
      await fail(error)
    }
    let (isEnded, _) = phase.compareExchange(
      expected: .running, desired: .ended, ordering: .acquiringAndReleasing)
    if isEnded, core.endings.append(self) {
      await core.collectEndings()
    }
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
    phase.store(.cancelled, ordering: .releasing)
    task?.cancel()
    letGo()
  }

  /// Releases what only a running effect needs.
  func letGo() {
    task = nil
    work = nil
    catchError = nil
  }

  var isCancelled: Bool {
    phase.load(ordering: .acquiring) == .cancelled
  }

  /// Whether a send may go through.
  ///
  /// One that was kept beyond the end of its effect may not, and is reported, because nothing
  /// could cancel what it does any more.
  func admits() -> Bool {
    switch phase.load(ordering: .acquiring) {
    case .waiting, .running:
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

import Synchronization

/// A started or waiting effect: one object and one task.
@MainActor
final class Effect<State: Sendable, Action: Sendable>: EffectTarget<State, Action> {
  /// Decides the race between the task that starts the work and the main actor that cancels it.
  enum Phase: UInt8, AtomicRepresentable {
    case waiting, running, ended, cancelled
  }

  let runtime: Runtime<State, Action>
  let request: EffectRequest<State, Action>
  let key: EffectKey?
  /// What the action that started it is waiting for.
  let cascade: Cascade
  var task: Task<Void, Never>?
  /// The places in the runtime's list of effects and in the cascade's.
  var position = 0
  /// Counts the effects of the runtime.
  var number = 0
  var cascadePosition = 0
  nonisolated let phase = Atomic(Phase.waiting)

  init(
    _ request: EffectRequest<State, Action>,
    runtime: Runtime<State, Action>,
    cascade: Cascade
  ) {
    self.runtime = runtime
    self.request = request
    self.key = request.key
    self.cascade = cascade
    super.init()
  }

  /// Starts the task that does the work, after a delay on the runtime's clock if there is one.
  func start(after delay: Duration?) {
    let clock = runtime.clock
    // The closure must not run on the main actor: a plain `Task` here would.
    task = Task(executorPreference: runtime.host?.executor(for: request.id, number: number)) {
      @concurrent in
      if let delay {
        try? await clock.sleep(for: delay)
      }
      await self.run()
    }
  }

  @concurrent
  private nonisolated func run() async {
    // Whoever comes first, this or `cancel()`: cancelled work never starts.
    let (isFirst, _) = phase.compareExchange(
      expected: .waiting, desired: .running, ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    do {
      try await request.work(self)
    } catch is CancellationError {
    } catch {
      await fail(error)
    }
    let (isEnded, _) = phase.compareExchange(
      expected: .running, desired: .ended, ordering: .acquiringAndReleasing)
    if isEnded, runtime.endings.append(self) {
      await runtime.collectEndings()
    }
  }

  private func fail(_ error: any Error) {
    if isCancelled { return }
    if let update = request.catchError {
      runtime.apply({ update($0, error) }, from: self, isFailure: true)
    } else {
      runtime.report(.uncaughtError(error, effect: request.id))
    }
  }

  /// Cancels the task; from here on no send goes through, and work that waits never starts.
  func cancel() {
    phase.store(.cancelled, ordering: .releasing)
    task?.cancel()
    task = nil
  }

  var isCancelled: Bool {
    phase.load(ordering: .acquiring) == .cancelled
  }

  /// Whether a send may go through.
  ///
  /// One that was kept beyond the end of its effect may not, and is reported, because nothing could
  /// cancel what it does any more.
  private func admits() -> Bool {
    switch phase.load(ordering: .acquiring) {
    case .waiting, .running:
      return true
    case .cancelled:
      return false
    case .ended:
      runtime.report(.sendAfterEnd(effect: request.id))
      return false
    }
  }

  override var current: State {
    runtime.box.value
  }

  override func update(
    _ transaction: UpdateTransaction?, _ update: @escaping ResolvedInteractor<State, Action>.Update
  ) {
    guard admits() else { return }
    runtime.apply(update, from: self, transaction)
  }

  override func send(_ transaction: UpdateTransaction?, _ action: Action) {
    guard admits() else { return }
    runtime.send(action, from: self, transaction)
  }

  override func batch(_ body: () -> Void) {
    runtime.batch(body)
  }
}

extension Effect: CascadeMember {
  func cancelAsMember() {
    runtime.cancel(self)
  }
}

extension Effect: nonisolated Hashable {
  nonisolated static func == (left: Effect, right: Effect) -> Bool {
    left === right
  }

  nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

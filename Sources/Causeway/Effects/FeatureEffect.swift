/// An effect together with the work that a feature gave it.
@MainActor
final class FeatureEffect<State: Sendable, Action: Sendable>: Effect {
  private let runtime: Runtime<State, Action>
  /// Moves into the task when that starts, so that a kept `send` does not keep the work.
  private var request: EffectRequest<State, Action>?

  required init(
    _ request: EffectRequest<State, Action>,
    _ runtime: Runtime<State, Action>,
    _ cascade: Cascade
  ) {
    self.request = request
    self.runtime = runtime
    let box = runtime.box
    let presences = request.presences?.map { $0.bound { box.pointer.pointee } }
    super.init(runtime.core, request.identity, request.policy, presences ?? [], cascade)
  }

  override func letGo() {
    super.letGo()
    request = nil
  }

  override func start(after delay: Duration?) {
    guard let request else { return }
    self.request = nil
    let main = MainActor.shared
    // From now on, and not from when a thread is free.
    let sleep = delay.map { core.clock.sleeper(for: $0) }
    if let executor = core.host?.executor(for: id, number: number) {
      task = Task(executorPreference: executor) { @concurrent in
        await self.run(request, sleep, main)
      }
    } else if let sleep {
      task = Task { @concurrent in await self.run(request, sleep, main) }
    } else {
      // On its own, because what the closure captures is there for each of many effects at once.
      task = Task { @concurrent in await self.run(request, nil, main) }
    }
  }

  /// Off the main actor but for the end.
  ///
  /// Nothing may come between the work and the end but the hop to the main actor, not even asking
  /// for the main actor: so an effect whose last act is a send ends in that visit and needs none
  /// of its own.
  @concurrent
  private func run(
    _ request: EffectRequest<State, Action>, _ sleep: Sleep?, _ main: MainActor
  ) async {
    do {
      if let sleep { try await sleep() }
      // Before a thread was free for it, or in its sleep: then it is not to start at all.
      if Task.isCancelled { return }
      try await request.work(Send(self, runtime))
      await end(on: main)
    } catch {
      await fail(error, request)
    }
  }

  private func fail(_ error: any Error, _ request: EffectRequest<State, Action>) {
    if isCancelled { return }
    if error is CancellationError {
      // What it was doing was cancelled, not the effect: silent all the same.
    } else if let catchError = request.catchError {
      runtime.apply({ catchError($0, error) }, self, nil, isFailure: true)
    } else {
      core.report(.uncaughtError(error, effect: id))
    }
    end()
  }
}

/// An effect together with the work that a feature gave it.
@MainActor
final class FeatureEffect<State: Sendable, Action: Sendable>: Effect {
  private let port: EffectPort<State, Action>
  /// Moves into the task when that starts, so that a kept `send` does not keep the work.
  private var request: EffectRequest<State, Action>?

  required init(
    _ request: EffectRequest<State, Action>,
    _ port: EffectPort<State, Action>,
    _ cascade: Cascade
  ) {
    self.request = request
    self.port = port
    super.init(port, request.name, request.place, request.policy, cascade)
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
    let sleep = delay.map { core.effects.clock.sleeper(for: $0) }
    if let executor = core.effects.executor(for: self) {
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
      try await request.work(Send(self, port))
      await end(on: main)
    } catch {
      await fail(error, request)
    }
  }

  private func fail(_ error: any Error, _ request: EffectRequest<State, Action>) {
    let isCancellation = error.isCancellation
    if isCancelled {
      // What ended the feature may be what it was waiting for, so no handler could hear the error.
      if scope.isGone || isSuperseded, !isCancellation, !core.isClosed {
        core.report(.uncaughtError(error, effect: id))
      }
      return end()
    }
    if error is CancellationError {
      // The work was cancelled from within: silent, and what comes next in a sequence is not due.
      cascade.breakSequences(for: self)
    } else if let catchError = request.catchError {
      port.update(self, nil, isFailure: true) { catchError(&$0.pointee, error) }
    } else {
      cascade.breakSequences(for: self)
      core.report(.uncaughtError(error, effect: id))
    }
    end()
  }
}

extension Error {
  /// Whether the error only says that the task was cancelled.
  ///
  /// Foundation's URL loading and Cocoa have errors of their own for it. The runtime does without
  /// Foundation, so it recognises them by domain and code.
  fileprivate var isCancellation: Bool {
    if self is CancellationError { return true }
    return switch (_domain, _code) {
    case ("NSURLErrorDomain", -999), ("NSCocoaErrorDomain", 3072): true
    default: false
    }
  }
}

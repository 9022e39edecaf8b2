/// An effect with the work that a feature passed to it.
@usableFromInline
final class FeatureEffect<State: Sendable, Action: Sendable>: Effect {
  @usableFromInline let port: EffectPort<State, Action>
  /// Moved into the task when the effect starts.
  ///
  /// A stored `send` must not keep the work alive.
  @usableFromInline var request: EffectRequest<State, Action>?
  /// The state with which the effect began; `nil` if reads after a removal need no substitute.
  @usableFromInline var first: InitialValue<State>?

  // Inlinable, because code compiled in this module would look up the metadata of the class.
  @inlinable
  init(
    _ request: EffectRequest<State, Action>,
    _ port: EffectPort<State, Action>,
    _ cascade: Cascade
  ) {
    self.request = request
    self.port = port
    super.init(port, request.name, request.place, request.policy, cascade)
    if request.readsState { keepState() }
  }

  /// Keeps the state for reads after the removal of the child.
  ///
  /// A separate function, because it needs the metadata of generic types. Other effects do not.
  @usableFromInline
  @inline(never)
  func keepState() {
    if port.canLackState { first = port.current.map { InitialValue($0) } }
  }

  override var isObservation: Bool { request?.isObservation ?? false }

  override var stays: Bool { request?.stays ?? false }

  /// The state that the work reads.
  var currentState: State {
    guard let state = port.current ?? first?.value else {
      preconditionFailure("An effect began without the child that requested it.")
    }
    return state
  }

  override func releaseWork() {
    super.releaseWork()
    request = nil
  }

  override func start() {
    // `take()` would look up the metadata of the optional.
    guard let request else { return }
    self.request = nil
    if let watch = core.watch {
      if watch.rehearsal == nil { start(request, watch) } else { isHeld = true }
      return
    }
    if case .here(let work) = request.work { return start(request, staying: work) }
    let main = MainActor.shared
    if let executor = core.effects.executor(for: self) {
      task = Task(executorPreference: executor) { @concurrent in await self.run(request, main) }
    } else {
      // This case is separate because the closure captures less without an executor, which saves
      // memory.
      task = Task { @concurrent in await self.run(request, main) }
    }
  }

  /// Starts work that stays on the main actor.
  private func start(
    _ request: EffectRequest<State, Action>,
    staying work: @escaping Emission<State, Action>.StayingWork
  ) {
    guard let executor = core.effects.executor(for: self) else {
      task = Task { await self.stay(work, request) }
      return
    }
    // A host decides when the work begins.
    task = Task(executorPreference: executor) { @concurrent in await self.stay(work, request) }
  }

  /// Starts the work, and notifies the watch when the work begins.
  ///
  /// Separate, because the closure captures more.
  private func start(_ request: EffectRequest<State, Action>, _ watch: RuntimeWatch) {
    let run = continuation(request, watch)
    task = Task(executorPreference: core.effects.executor(for: self)) { @concurrent in
      await run(nil)
    }
  }

  override func makeContinuation() -> EffectStart.Continuation? {
    guard let request else { return nil }
    if let watch = core.watch { return continuation(request, watch) }
    if case .here(let work) = request.work {
      return { error in
        if let error { return await self.fail(error, request) }
        await self.stay(work, request)
      }
    }
    let main = MainActor.shared
    return { error in
      if let error { return await self.fail(error, request) }
      await self.run(request, main)
    }
  }

  private func continuation(
    _ request: EffectRequest<State, Action>, _ watch: RuntimeWatch
  ) -> EffectStart.Continuation {
    let (id, number, main) = (id, number, MainActor.shared)
    return { error in
      if let error { return await self.fail(error, request) }
      if !Task.isCancelled { watch.effectRan(id, number) }
      if case .here(let work) = request.work { return await self.stay(work, request) }
      await self.run(request, main)
    }
  }

  /// Runs the work off the main actor, and then ends the effect on the main actor.
  ///
  /// Between the work and the end, there is only the hop to the main actor. An effect whose last
  /// operation is a send therefore ends in the same hop. A lookup of the main actor after the work
  /// would add a hop.
  ///
  /// Work that stays on the main actor has its own function: the memory of a task grows with the
  /// memory of its functions.
  @concurrent
  private func run(_ request: EffectRequest<State, Action>, _ main: MainActor) async {
    do {
      // The effect was cancelled during its delay or before a thread was free.
      if Task.isCancelled { return }
      try await request.away(Send(self))
      await end(on: main)
    } catch {
      await fail(error, request)
    }
  }

  /// Runs work that stays on the main actor, and then ends the effect.
  private func stay(
    _ work: Emission<State, Action>.StayingWork, _ request: EffectRequest<State, Action>
  ) async {
    do {
      if Task.isCancelled { return }
      try await work(Send(self))
      end()
    } catch {
      fail(error, request)
    }
  }

  private func fail(_ error: any Error, _ request: EffectRequest<State, Action>) {
    let isCancellation = error.isCancellation
    if isCancelled {
      // This effect may have caused the removal of its feature, so no handler can receive the
      // error.
      if scope.isGone || isSuperseded, !isCancellation, !core.isClosed {
        core.report(.uncaughtError(error, effect: id), from: number)
      }
      return end()
    }
    if error is CancellationError {
      // The work cancelled itself. This is not an error, but the next part of a sequence does not
      // start.
      breakSequences()
    } else if let catchError = request.catchError {
      port.update(self, nil, isFailure: true) { catchError(&$0.pointee, error) }
    } else {
      breakSequences()
      core.report(.uncaughtError(error, effect: id), from: number)
    }
    end()
  }
}

extension Error {
  /// Whether the error only reports a cancellation of the task.
  ///
  /// URL loading in Foundation and Cocoa have their own cancellation errors. The runtime does not
  /// use Foundation, so it compares the domain and the code of the error.
  fileprivate var isCancellation: Bool {
    if self is CancellationError { return true }
    return switch (_domain, _code) {
    case ("NSURLErrorDomain", -999), ("NSCocoaErrorDomain", 3072): true
    default: false
    }
  }
}

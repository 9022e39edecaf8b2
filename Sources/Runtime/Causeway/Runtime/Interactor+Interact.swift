extension Interactor {
  /// Runs the interactor on a stream of actions and returns a stream of states.
  ///
  /// The result yields the initial state, and then the state after every action and after every
  /// update of an effect, without gaps. When `upstream` ends, the effects are cancelled and the
  /// result ends. When the consumer of the result is released, everything is cancelled.
  ///
  /// - Parameters:
  ///   - upstream: The actions, handled in order on the main actor.
  ///   - initialState: The state to start with. Default: the interactor's initial value.
  public func interact(
    _ upstream: AsyncStream<Action>, initialState: State? = nil
  ) -> AsyncStream<State> {
    let (states, continuation) = AsyncStream.makeStream(of: State.self)
    let resolved = resolve()
    let runtime = Runtime(
      resolved, box: StateBox(initialState, else: resolved.initial),
      observer: StepObserver { continuation.yield($0.after) })
    continuation.yield(runtime.box.value)
    let task = Task {
      for await action in upstream {
        // Buffered actions still arrive after the consumer was released.
        if Task.isCancelled { break }
        _ = runtime.send(action)
      }
      runtime.core.close()
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return states
  }
}

extension Interactor {
  /// Runs the interactor between two streams.
  ///
  /// The result yields the initial state, then the state after every action and after every
  /// update that an effect sends; none is left out. When `upstream` ends, the effects are
  /// cancelled and the result ends. When the consumer of the result goes away, everything is
  /// cancelled.
  ///
  /// - Parameter upstream: The actions, handled in order on the main actor.
  public func interact(_ upstream: AsyncStream<Action>) -> AsyncStream<State> {
    let (states, continuation) = AsyncStream.makeStream(of: State.self)
    let resolved = resolve()
    let runtime = Runtime(
      resolved, box: StateBox(resolved.initialValue),
      observer: StepObserver { continuation.yield($0.after) })
    continuation.yield(resolved.initialValue)
    let task = Task {
      for await action in upstream {
        // What was buffered still comes when the consumer is gone already.
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

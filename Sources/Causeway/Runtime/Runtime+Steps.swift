extension Runtime {
  /// Handles an action while another is being handled, or while somebody wants to know.
  @usableFromInline
  func sendAttentively(_ action: Action) -> ActionTask {
    if isDraining {
      let cascade = Cascade()
      enqueue(action, cascade)
      return ActionTask(cascade)
    }
    isDraining = true
    let emission = handle(action)
    return settle(emission)
  }

  /// Ends what ``send(_:)`` began: starts effects, drains the queue, publishes.
  @usableFromInline
  func settle(_ emission: Emission<State, Action>) -> ActionTask {
    onStep?(box.value)
    let cascade = emission.node.map { node in
      let cascade = Cascade()
      carryOut(node, cascade)
      return cascade
    }
    drain(hasStepped: true)
    return ActionTask(cascade)
  }

  /// Handles an action that a running effect sends.
  func send(_ action: Action, from effect: Effect<State, Action>) {
    enqueue(action, effect.cascade, from: effect)
    drainUnlessDraining()
  }

  /// Applies an update that a running effect sends.
  func apply(
    _ update: @escaping @MainActor (inout State) -> Void, from effect: Effect<State, Action>
  ) {
    queue.append(.update(update, effect))
    drainUnlessDraining()
  }

  /// Handles what `body` sends as steps of their own, and publishes once.
  func batch(_ body: () -> Void) {
    let isOutermost = !isDraining
    isDraining = true
    body()
    if isOutermost { drain(hasStepped: false) }
  }

  func enqueue(
    _ action: Action, _ cascade: Cascade, from effect: Effect<State, Action>? = nil
  ) {
    cascade.begin()
    queue.append(.action(action, cascade, effect))
    isAttentive = true
  }

  private func drainUnlessDraining() {
    if isDraining { return }
    isDraining = true
    drain(hasStepped: false)
  }

  /// Handles queued steps in order until there is none, then publishes; whatever that sends is
  /// handled the same way.
  ///
  /// Iterative, so chains of any length need no more stack.
  func drain(hasStepped: Bool) {
    var isChanged = hasStepped
    repeat {
      while let step = queue.popFirst() {
        perform(step)
        isChanged = true
      }
      if isChanged {
        isChanged = false
        publish()
      }
    } while !queue.isEmpty
    isAttentive = derive != nil || onStep != nil
    isDraining = false
  }

  private func perform(_ step: StepQueue<State, Action>.Step) {
    switch step {
    case .action(let action, let cascade, let effect):
      if effect?.isCancelled != true, !cascade.isCancelled {
        let emission = handle(action)
        onStep?(box.value)
        if let node = emission.node { carryOut(node, cascade) }
      }
      cascade.end()
    case .update(let update, let effect):
      guard !effect.isCancelled else { return }
      box.isMutating = true
      update(&box.pointer.pointee)
      box.isMutating = false
      onStep?(box.value)
    }
  }

  private func publish() {
    if let derive { derive(box.value) }
    observation.publish()
  }
}

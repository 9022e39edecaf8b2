extension Runtime {
  /// Handles an action while another is being handled, or while somebody wants to know.
  @usableFromInline
  func sendAttentively(_ action: Action, _ transaction: UpdateTransaction?) -> ActionTask {
    if core.isDraining {
      let cascade = Cascade()
      core.enqueue(cascade, nil, transaction) { self.perform(action, cascade, nil) }
      return ActionTask(cascade)
    }
    core.isDraining = true
    core.transaction = transaction
    let before = observe == nil ? nil : box.value
    let emission = handle(action)
    if let before { report(.action(action, effect: nil), before, nil, nil) }
    return settle(emission)
  }

  /// Ends what ``send(_:)`` began: starts effects, drains the queue, publishes.
  @usableFromInline
  func settle(_ emission: Emission<State, Action>) -> ActionTask {
    var cascade: Cascade?
    if let node = emission.node {
      let started = Cascade(origin: core.steps)
      carryOut(node, started)
      cascade = started
    }
    core.endMissingScopes()
    core.drain(isChanged: true)
    return ActionTask(cascade)
  }

  /// Handles a queued action.
  func perform(_ action: Action, _ cascade: Cascade, _ effect: Effect?) {
    let before = observe == nil ? nil : box.value
    let emission = handle(action)
    if let before { report(.action(action, effect: effect?.id), before, cascade, effect) }
    if let node = emission.node { carryOut(node, cascade) }
  }

  /// Applies an update that a running effect sends.
  func apply(
    _ update: @escaping Resolved.Update,
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    isFailure: Bool
  ) {
    if core.isDraining {
      // Only the effect that sends a batch may go ahead, and not from within an update.
      guard core.batching === effect, !box.isMutating else {
        return core.enqueue(effect.cascade, effect, transaction) {
          self.perform(update, effect, isFailure: isFailure)
        }
      }
      perform(update, effect, isFailure: isFailure)
      core.settle()
      return
    }
    core.isDraining = true
    core.transaction = transaction
    perform(update, effect, isFailure: isFailure)
    if !core.isAttentive, transaction == nil { return core.finishQuickTurn() }
    core.endMissingScopes()
    core.drain(isChanged: true)
  }

  private func perform(_ update: Resolved.Update, _ effect: Effect, isFailure: Bool) {
    let before = observe == nil ? nil : box.value
    box.isMutating = true
    let emission: Emission<State, Action>
    if let updater {
      emission = updater(box.pointer, update)
    } else {
      emission = update(box.pointer)
    }
    box.isMutating = false
    if let before {
      let id = effect.id
      report(isFailure ? .failure(effect: id) : .update(effect: id), before, effect.cascade, effect)
    }
    if let node = emission.node { carryOut(node, effect.cascade) }
  }

  private func report(
    _ cause: Step<State, Action>.Cause, _ before: State, _ cascade: Cascade?, _ effect: Effect?
  ) {
    core.steps += 1
    let origin = cascade?.origin ?? core.steps
    cascade?.origin = origin
    observe?(
      Step(
        number: core.steps, cause: cause, effectNumber: effect?.number, origin: origin,
        before: before, after: box.value))
  }
}

extension Runtime {
  typealias Update = ResolvedInteractor<State, Action>.Update
  typealias QueuedStep = StepQueue<State, Action>.Step

  /// Handles an action while another is being handled, or while somebody wants to know.
  @usableFromInline
  func sendAttentively(_ action: Action, _ transaction: UpdateTransaction?) -> ActionTask {
    if isDraining {
      let cascade = Cascade()
      enqueue(action, cascade, transaction: transaction)
      return ActionTask(cascade)
    }
    isDraining = true
    self.transaction = transaction
    let before = observer.map { _ in box.value }
    let emission = handle(action)
    observe(.action(action, effect: nil), before: before, cascade: nil)
    return settle(emission)
  }

  /// Ends what ``send(_:)`` began: starts effects, drains the queue, publishes.
  @usableFromInline
  func settle(_ emission: Emission<State, Action>) -> ActionTask {
    let cascade = emission.node.map { node in
      let cascade = Cascade(origin: steps)
      carryOut(node, cascade)
      return cascade
    }
    endMissingScopes()
    drain(isChanged: true)
    return ActionTask(cascade)
  }

  /// Handles an action that a running effect sends.
  func send(
    _ action: Action, from effect: Effect<State, Action>, _ transaction: UpdateTransaction?
  ) {
    enqueue(action, effect.cascade, from: effect, transaction: transaction)
    drainUnlessDraining()
  }

  /// Applies an update that a running effect sends.
  func apply(
    _ update: @escaping Update,
    from effect: Effect<State, Action>,
    _ transaction: UpdateTransaction? = nil,
    isFailure: Bool = false
  ) {
    effect.cascade.begin()
    queue.append(
      QueuedStep(
        change: .update(update, isFailure: isFailure), cascade: effect.cascade, effect: effect,
        transaction: transaction))
    drainUnlessDraining()
  }

  /// Handles what `body` sends as steps of their own, and publishes once.
  func batch(_ body: () -> Void) {
    let isOutermost = !isDraining
    isDraining = true
    body()
    if isOutermost { drain() }
  }

  func enqueue(
    _ action: Action,
    _ cascade: Cascade,
    from effect: Effect<State, Action>? = nil,
    transaction: UpdateTransaction? = nil
  ) {
    cascade.begin()
    queue.append(
      QueuedStep(
        change: .action(action), cascade: cascade, effect: effect, transaction: transaction))
    isAttentive = true
  }

  func drainUnlessDraining() {
    if isDraining { return }
    isDraining = true
    drain()
  }

  /// Handles queued steps in order until there is none, then publishes.
  ///
  /// Whatever observers send is handled the same way. Iterative, so chains of any length need no
  /// more stack.
  func drain(isChanged: Bool = false) {
    var isChanged = isChanged
    var publications = 0
    repeat {
      while let step = queue.popFirst() {
        perform(step)
        isChanged = true
      }
      if isChanged {
        isChanged = false
        publish()
        publications += 1
        if publications == Self.publicationLimit { dropQueue() }
      }
    } while !queue.isEmpty
    updateAttention()
    isDraining = false
  }

  /// How often one turn may publish: twice the longest chain that is promised to work.
  private static var publicationLimit: Int { 200_000 }

  /// Ends a turn in which every publication makes somebody send again.
  private func dropQueue() {
    guard !queue.isEmpty else { return }
    while let step = queue.popFirst() {
      step.cascade.end()
    }
    report(.endlessSends(publications: Self.publicationLimit))
  }

  private func perform(_ step: QueuedStep) {
    defer { step.cascade.end() }
    if isClosed || step.cascade.isCancelled || step.effect?.isCancelled == true { return }
    if let transaction = step.transaction { self.transaction = transaction }
    let before = observer.map { _ in box.value }
    let emission: Emission<State, Action>
    switch step.change {
    case .action(let action):
      emission = handle(action)
      observe(
        .action(action, effect: step.effect?.request.id), before: before, cascade: step.cascade)
    case .update(let update, let isFailure):
      box.isMutating = true
      emission = interactor.apply(update, to: box.pointer)
      box.isMutating = false
      if let id = step.effect?.request.id {
        let cause = isFailure ? Step<State, Action>.Cause.failure(effect: id) : .update(effect: id)
        observe(cause, before: before, cascade: step.cascade)
      }
    }
    if let node = emission.node { carryOut(node, step.cascade) }
    endMissingScopes()
  }

  private func observe(
    _ cause: @autoclosure () -> Step<State, Action>.Cause, before: State?, cascade: Cascade?
  ) {
    guard let observer, let before else { return }
    steps += 1
    if cascade?.origin == nil { cascade?.origin = steps }
    observer.observe(
      Step(
        number: steps, cause: cause(), origin: cascade?.origin ?? steps, before: before,
        after: box.value))
  }

  private func publish() {
    guard let transaction else { return publishPlainly() }
    self.transaction = nil
    transaction.publish { publishPlainly() }
  }

  private func publishPlainly() {
    if let derive { derive(box.value) }
    observation.publish()
  }
}

extension RuntimeCore {
  /// Has a step performed after those that wait, and before the outermost `send` returns.
  func enqueue(
    _ cascade: Cascade,
    _ effect: Effect?,
    _ transaction: UpdateTransaction?,
    _ perform: @escaping @MainActor () -> Void
  ) {
    cascade.begin()
    queue.append(
      StepQueue.Step(perform: perform, cascade: cascade, effect: effect, transaction: transaction))
    isAttentive = true
  }

  func drainUnlessDraining() {
    if isDraining { return }
    isDraining = true
    drain(isChanged: false)
  }

  /// Ends a turn whose only step had no effect and queued nothing.
  @usableFromInline
  func finishQuickTurn() {
    publish()
    // An observer may have sent something.
    if isAttentive { drain(isChanged: false) } else { isDraining = false }
  }

  /// Handles queued steps in order until there is none, then publishes, and ends the turn.
  ///
  /// Whatever observers send is handled the same way. Iterative, so chains of any length need no
  /// more stack.
  func drain(isChanged: Bool) {
    var isChanged = isChanged
    var publications = 0
    repeat {
      if drainQueue() { isChanged = true }
      if isChanged {
        isChanged = false
        publish()
        publications += 1
        if publications >= Self.publicationLimit { dropQueue() }
      }
    } while !queue.isEmpty
    updateAttention()
    isDraining = false
  }

  /// Handles queued steps; returns whether there were any.
  @discardableResult
  func drainQueue() -> Bool {
    if queue.isEmpty { return false }
    while let step = queue.popFirst() {
      if !isClosed, !step.cascade.isCancelled, step.effect?.isCancelled != true {
        if let transaction = step.transaction { self.transaction = transaction }
        step.perform()
        endMissingScopes()
      }
      step.cascade.end()
    }
    return true
  }

  /// Follows up one step of a batch, before the next one.
  func settle() {
    endMissingScopes()
    drainQueue()
  }

  /// Lets an effect send several steps of which only the last is followed by a publication.
  func batch(_ effect: Effect, _ body: () -> Void) {
    if isDraining { return body() }
    isDraining = true
    batching = effect
    body()
    batching = nil
    drain(isChanged: true)
  }

  /// How often one turn may publish: twice the longest chain that is promised to work.
  private static var publicationLimit: Int { 200_000 }

  /// Ends a turn in which every publication makes somebody send again.
  private func dropQueue() {
    guard !queue.isEmpty else { return }
    // First, so that what its receiver sends goes too.
    report(.endlessSends(publications: Self.publicationLimit))
    while let step = queue.popFirst() {
      step.cascade.end()
    }
  }
}

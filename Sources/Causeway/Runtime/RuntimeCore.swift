/// The part of a runtime that does not know the types of state and actions.
///
/// It takes turns: a turn is an outermost step with everything that it brings about in the same
/// call, up to the publication. It is compiled once, without generics, which is most of why
/// effects are cheap.
@MainActor
@usableFromInline
final class RuntimeCore {
  // Unchecked because every access to these is a single load or store on the main actor.
  /// True from the start of an outermost step until nothing is queued any more.
  @exclusivity(unchecked) @usableFromInline var isInTurn = false
  /// True while a step takes more than to call the handler and to publish.
  @exclusivity(unchecked) @usableFromInline private(set) var needsFullTurn = false

  @usableFromInline let observation = ObservationTable()
  let effects: EffectRegistry
  /// Derives the view state after an outermost step, where it is not the state itself.
  @usableFromInline let derive: (@MainActor () -> Void)?
  private let observesSteps: Bool
  private let onError: @MainActor (RuntimeError) -> Void
  /// How many queued steps one turn may have.
  private let stepLimit: Int

  private var queue = StepQueue()
  /// How many queued steps of this turn were handled.
  private var handled = 0
  private var transaction: UpdateTransaction?
  /// The effect that is sending a batch.
  private var batching: Effect?
  /// The effect whose send opened this turn.
  private(set) var sender: Effect?
  private(set) var isClosed = false
  /// How many steps an observer has seen.
  private(set) var steps = 0
  /// What was reported and is not to be reported again.
  private var reported: Set<ObjectIdentifier> = []

  init(
    clock: any Clock<Duration>,
    host: (any EffectHost)?,
    stepLimit: Int,
    derive: (@MainActor () -> Void)?,
    observesSteps: Bool,
    observeEffect: (@MainActor (EffectEvent) -> Void)?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.stepLimit = stepLimit
    self.derive = derive
    self.observesSteps = observesSteps
    self.onError = onError ?? RuntimeError.print
    effects = EffectRegistry(clock: clock, host: host, observeEffect: observeEffect)
    effects.core = self
    updateNeeds()
  }

  /// Follows a change of what makes a full turn necessary.
  func updateNeeds() {
    needsFullTurn = observesSteps || !queue.isEmpty || effects.isWatching
  }

  /// Counts a step for the observer.
  func countStep() -> Int {
    steps += 1
    return steps
  }

  /// Cancels everything; called when the last view model is gone.
  @usableFromInline
  func close() {
    isClosed = true
    effects.close()
    observation.close()
    updateNeeds()
  }

  func report(_ error: RuntimeError) {
    onError(error)
  }

  /// Reports only the first finding about an object.
  func report(once: ObjectIdentifier, _ error: @MainActor () -> RuntimeError) {
    if reported.insert(once).inserted { onError(error()) }
  }
}

// Turns.
extension RuntimeCore {
  /// Opens a turn for a step that takes no more than to call the handler and to publish.
  ///
  /// Returns false when a turn is open, or when the step needs a full one.
  @inlinable
  func openQuickTurn() -> Bool {
    if isInTurn || needsFullTurn { return false }
    isInTurn = true
    return true
  }

  /// Ends a turn that ``openQuickTurn()`` has opened.
  @inlinable
  func closeQuickTurn() {
    if needsFullTurn || observation.isActive || derive != nil {
      publishQuickTurn()
    } else {
      isInTurn = false
    }
  }

  @usableFromInline
  func publishQuickTurn() {
    if !needsFullTurn {
      publish()
      if !needsFullTurn {
        isInTurn = false
        return
      }
      // An observer has sent something.
      return drain(isChanged: false)
    }
    effects.endMissingScopes()
    drain(isChanged: true)
  }

  /// Takes a full turn: a step, the end of the effects of children that went, the steps that are
  /// queued, and the publication.
  ///
  /// - Parameters:
  ///   - transaction: Wraps the publication.
  ///   - sender: The effect that sends the step.
  ///   - isChanged: Whether to publish even if no step is queued.
  func turn(
    _ transaction: UpdateTransaction?, sender: Effect? = nil, isChanged: Bool = true,
    _ step: () -> Void
  ) {
    isInTurn = true
    self.transaction = transaction
    self.sender = sender
    step()
    effects.endMissingScopes()
    drain(isChanged: isChanged)
  }

  /// Handles what was queued, unless a turn is open, which will.
  func turnIfNeeded() {
    if isInTurn || queue.isEmpty { return }
    turn(nil, isChanged: false) {}
  }

  /// Queues a step, to be handled before the outermost `send` returns.
  func enqueue(
    _ cascade: Cascade,
    _ effect: Effect?,
    _ transaction: UpdateTransaction?,
    _ perform: @escaping @MainActor () -> Void
  ) {
    cascade.begin()
    queue.append(
      StepQueue.Step(perform: perform, cascade: cascade, effect: effect, transaction: transaction))
    needsFullTurn = true
  }

  /// Lets an effect send several steps of which only the last is followed by a publication.
  func batch(_ effect: Effect, _ body: () -> Void) {
    if isInTurn { return body() }
    turn(nil, sender: effect) {
      batching = effect
      body()
      batching = nil
    }
  }

  /// Whether an effect may apply an update though a turn is open: only that of the open batch.
  func isBatching(_ effect: Effect) -> Bool {
    batching === effect
  }

  /// Follows up one step of a batch, before the next one.
  func settle() {
    if !needsFullTurn { return }
    effects.endMissingScopes()
    drainQueue()
  }

  /// Handles queued steps in order until there is none, then publishes, and ends the turn.
  ///
  /// Steps that observers send are handled the same way. Iterative, so chains of any length need
  /// no more stack.
  private func drain(isChanged: Bool) {
    var isChanged = isChanged
    var publications = 0
    repeat {
      if drainQueue() { isChanged = true }
      if isChanged {
        isChanged = false
        publish()
        publications += 1
        if publications >= Self.publicationLimit, !queue.isEmpty {
          // First, so that what its receiver sends is dropped too.
          report(.endlessSends(publications: publications))
          dropQueue()
        }
      }
    } while !queue.isEmpty
    handled = 0
    sender = nil
    updateNeeds()
    isInTurn = false
  }

  /// Handles queued steps; returns whether there were any.
  @discardableResult
  private func drainQueue() -> Bool {
    if queue.isEmpty { return false }
    while let step = queue.popFirst() {
      if !isClosed, !step.cascade.isCancelled, step.effect?.isCancelled != true {
        handled += 1
        if let transaction = step.transaction { self.transaction = transaction }
        step.perform()
        effects.endMissingScopes()
      }
      step.cascade.end()
    }
    return true
  }

  /// How often one turn may publish: twice the longest chain that is promised to work.
  private static var publicationLimit: Int { 200_000 }

  /// Stops a turn whose actions bring about one another without an end.
  ///
  /// Returns false, and does nothing, while the turn is within its limit.
  ///
  /// - Parameters:
  ///   - action: The action that is not handled any more.
  ///   - cascade: The cascade of that action, whose sequences end.
  func stopEndlessTurn(at action: @autoclosure () -> String, in cascade: Cascade) -> Bool {
    guard handled > stepLimit else { return false }
    handled = 0
    report(.endlessActions(action: action(), steps: stepLimit))
    cascade.breakSequences()
    dropQueue()
    return true
  }

  /// Drops the steps that wait, and ends the sequences that they are parts of.
  private func dropQueue() {
    while let step = queue.popFirst() {
      // First, so that the end of the part does not begin the next one.
      step.cascade.breakSequences()
      step.cascade.end()
    }
  }

  /// Publishes what the steps of a turn have changed.
  private func publish() {
    guard let transaction else { return publishPlainly() }
    self.transaction = nil
    transaction.publish { publishPlainly() }
  }

  private func publishPlainly() {
    if let derive { derive() }
    observation.publish()
  }
}

/// The part of a runtime that does not depend on the types of state and actions.
///
/// A turn is an outermost step with everything that follows from it in the same call, up to the
/// publication. This class is not generic and is compiled once, which is the main reason why
/// effects are cheap.
@MainActor
@usableFromInline
final class RuntimeCore {
  // Unchecked, like the next property: every access is a single load or store on the main actor.
  /// True from the start of an outermost step until the queue is empty.
  @exclusivity(unchecked) @usableFromInline var isInTurn = false
  /// True while a step needs more than a call of the handler and a publication.
  @exclusivity(unchecked) @usableFromInline private(set) var needsFullTurn = false

  @usableFromInline let observation = ObservationTable()
  let effects: EffectRegistry
  /// Derives the view state after an outermost step, if it is not the state itself.
  @usableFromInline let derive: (@MainActor () -> Void)?
  private let observesSteps: Bool
  /// Whether features of the tree may share values with others.
  @exclusivity(unchecked) @usableFromInline var sharesValues = false
  /// The shared values that the current step has changed.
  var changedValues: [any SharedContent] = []
  private let onError: @MainActor (RuntimeError) -> Void
  /// Receives what happens between the steps.
  let watch: RuntimeWatch?
  /// The limit of queued steps in one turn.
  private let stepLimit: Int

  private var queue = StepQueue()
  /// The number of queued steps that this turn has handled.
  private var handled = 0
  private var transaction: UpdateTransaction?
  /// Whether an observer has sent an action during the last publication.
  private var isChangedByObserver = false
  /// False at the end of an endless chain of such actions, which are then queued and dropped.
  private var allowsSendsOfObservers = true
  /// Whether the view state was derived after the last step already.
  private var isDerived = false
  /// The effect that is sending a batch.
  private var batching: Effect?
  /// The effect that opened this turn by a send.
  private(set) var sender: Effect?
  /// Unchecked, like the first properties.
  @exclusivity(unchecked) private(set) var isClosed = false
  /// The number of steps that the observer has received.
  private(set) var steps = 0
  /// The number of emissions of these steps.
  private(set) var emissions = 0
  /// Names the action whose handler requests effects; `nil` outside of such a handler.
  ///
  /// Only set in debug builds; see ``SharedCalls``.
  private(set) var requester: (() -> String)?
  /// The objects about which a finding was reported.
  ///
  /// Each is reported once.
  private var reported: Set<ObjectIdentifier> = []
  /// Returns whether the action that is being queued is still handled when its turn comes; `nil` for
  /// an action of a part that always exists.
  private var condition: (@MainActor () -> Bool)?
  /// The parts whose removed view models have sent actions.
  private var reportedParts: Set<AnyKeyPath> = []

  @usableFromInline
  convenience init(
    clock: any Clock<Duration>,
    stepLimit: Int,
    derive: (@MainActor () -> Void)?,
    observesSteps: Bool,
    observeEffect: (@MainActor (EffectEvent) -> Void)?,
    watch: RuntimeWatch?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.init(
      clock: clock, host: nil, stepLimit: stepLimit, derive: derive, observesSteps: observesSteps,
      observeEffect: observeEffect, watch: watch, onError: onError)
  }

  init(
    clock: any Clock<Duration>,
    host: (any EffectHost)?,
    stepLimit: Int,
    derive: (@MainActor () -> Void)?,
    observesSteps: Bool,
    observeEffect: (@MainActor (EffectEvent) -> Void)?,
    watch: RuntimeWatch?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.stepLimit =
      watch?.rehearsal == nil ? stepLimit : min(stepLimit, EffectRehearsal.stepLimit)
    self.watch = watch
    self.derive = derive
    self.observesSteps = observesSteps
    // `??` would allocate a closure around the default.
    if let onError { self.onError = onError } else { self.onError = RuntimeError.print }
    effects = EffectRegistry(clock: clock, host: host, observeEffect: observeEffect)
    effects.core = self
    needsFullTurn = observesSteps
  }

  /// Updates whether a full turn is necessary.
  func updateNeeds() {
    needsFullTurn = observesSteps || sharesValues || !queue.isEmpty || effects.isWatching
  }

  /// Counts a step for the observer.
  func countStep() -> Int {
    steps += 1
    return steps
  }

  /// Counts the emission of an observed step.
  func countEmission() {
    emissions += 1
  }

  /// Carries out the emission of an action.
  func withRequester(_ action: @autoclosure @escaping () -> Any, _ carryOut: () -> Void) {
    #if DEBUG
      let outer = requester
      defer { requester = outer }
      requester = { CaseNames.of(action()) }
    #endif
    carryOut()
  }

  /// Carries out an emission that no particular action has caused.
  func withoutRequester(_ carryOut: () -> Void) {
    let outer = requester
    defer { requester = outer }
    requester = nil
    carryOut()
  }

  /// Cancels all effects.
  ///
  /// Called after the last view model was released.
  @usableFromInline
  func close() {
    isClosed = true
    effects.close()
    observation.close()
    updateNeeds()
  }

  func report(_ error: RuntimeError, from effect: Int? = nil) {
    watch?.reported(error, effect)
    // The app has already received what happens in a rehearsal.
    if !isRehearsed { onError(error) }
  }

  /// Reports only the first finding about an object.
  func report(once: ObjectIdentifier, _ error: @MainActor () -> RuntimeError) {
    if reported.insert(once).inserted { report(error()) }
  }

  /// Reports only the first finding about a part of a view state.
  func report(oncePart part: AnyKeyPath, _ error: () -> RuntimeError) {
    if reportedParts.insert(part).inserted { report(error()) }
  }

  /// Whether an action of a part is dropped, because the life of the part has ended.
  func drops<Action: Sendable>(_ action: Action, for life: PartLife) -> Bool {
    guard life.isOver else { return false }
    report(oncePart: life.part) {
      .missingChild(
        action: CaseNames.of(action), row: life.row.map { "\($0)" }, site: "\(life.part)")
    }
    return true
  }

  /// Ends what belongs to the removable parts that the last step has removed.
  private func endMissingParts() {
    effects.endMissingScopes()
    observation.endLives()
  }
}

// Turns.
extension RuntimeCore {
  /// Opens a turn for a step that needs only a call of the handler and a publication.
  ///
  /// Returns false if a turn is open already, or if the step needs a full turn.
  @inlinable
  func openQuickTurn() -> Bool {
    if isInTurn || needsFullTurn { return false }
    isInTurn = true
    return true
  }

  /// Ends a turn that ``openQuickTurn()`` opened.
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
      if !needsFullTurn, !isChangedByObserver {
        isInTurn = false
        return
      }
      // An observer has sent an action.
      return drain(isChanged: takeChangeByObserver())
    }
    endMissingParts()
    drain(isChanged: true)
  }

  /// Performs a full turn.
  ///
  /// It handles a step, ends the effects of removed children, handles the queued steps and
  /// publishes.
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
    endMissingParts()
    drain(isChanged: isChanged)
  }

  /// Handles the queued steps.
  ///
  /// During an open turn it does nothing; that turn handles them.
  func turnIfNeeded() {
    if isInTurn || queue.isEmpty { return }
    turn(nil, isChanged: false) {}
  }

  /// Queues a step.
  ///
  /// It is handled before the outermost `send` returns.
  ///
  /// - Parameter scope: The scope of the removable child that has returned the action.
  func enqueue(
    _ cascade: Cascade,
    _ effect: Effect? = nil,
    _ transaction: UpdateTransaction? = nil,
    from scope: EffectScope? = nil,
    _ perform: @escaping @MainActor () -> Void
  ) {
    cascade.begin()
    scope?.begin()
    queue.append(
      StepQueue.Step(
        perform: perform, cascade: cascade, effect: effect, transaction: transaction, scope: scope))
    needsFullTurn = true
  }

  /// Queues the action that `send` sends with a condition, if it cannot be handled at once.
  ///
  /// The condition of the innermost part counts: its life is over if that of a part around it is.
  func queue(
    _ condition: @escaping @MainActor () -> Bool, _ send: () -> ActionTask
  ) -> ActionTask {
    if handlesAtOnce || self.condition != nil { return send() }
    self.condition = condition
    defer { self.condition = nil }
    return send()
  }

  /// Queues a step from outside, with the condition of the part that sends it.
  func enqueueFromOutside(
    _ cascade: Cascade, _ transaction: UpdateTransaction?,
    _ perform: @escaping @MainActor () -> Void
  ) {
    guard let condition = condition.take() else {
      return enqueue(cascade, nil, transaction, perform)
    }
    enqueue(cascade, nil, transaction) { if condition() { perform() } }
  }

  /// Lets an effect send several steps with one publication after the last step.
  func batch(_ effect: Effect, _ body: () -> Void) {
    if isInTurn { return body() }
    turn(nil, sender: effect) {
      batching = effect
      body()
      batching = nil
    }
  }

  /// Whether an effect sends the open batch.
  ///
  /// Only that effect may apply updates during the open turn.
  func isBatching(_ effect: Effect) -> Bool {
    batching === effect
  }

  /// Completes one step of a batch before the next one.
  func settle() {
    if !needsFullTurn { return }
    endMissingParts()
    drainQueue()
  }

  /// Handles queued steps in order until the queue is empty, publishes, and ends the turn.
  ///
  /// Steps that observers send are handled the same way. The loop is iterative: chains of any
  /// length need no additional stack.
  private func drain(isChanged: Bool) {
    var isChanged = isChanged
    var publications = 0
    repeat {
      if drainQueue() { isChanged = true }
      if isChanged {
        isChanged = false
        allowsSendsOfObservers = publications < Self.publicationLimit - 1
        publish()
        allowsSendsOfObservers = true
        publications += 1
        isChanged = takeChangeByObserver()
        if publications >= Self.publicationLimit, !queue.isEmpty {
          // Report first, because actions that the receiver of the report sends must be dropped
          // too.
          report(.endlessSends(publications: publications))
          dropQueue()
        }
      }
    } while !queue.isEmpty || isChanged
    handled = 0
    sender = nil
    updateNeeds()
    isInTurn = false
  }

  /// Whether a step can be handled at once, because an observer sends it.
  ///
  /// The next observer of the same change then sees its result: of two views that answer an event,
  /// only the first one finds the event.
  var handlesAtOnce: Bool {
    observation.isNotifying && queue.isEmpty && allowsSendsOfObservers
  }

  /// Handles a step that an observer sends, with everything that follows from it.
  ///
  /// Its changes are published after the current publication. They are found at once: an observer
  /// that has read an earlier value must be told, even if a later step restores that value.
  func handleAtOnce(_ transaction: UpdateTransaction?, _ step: () -> Void) {
    observation.isNotifying = false
    step()
    endMissingParts()
    drainQueue()
    if let transaction { self.transaction = transaction }
    if let derive {
      derive()
      isDerived = true
    }
    observation.expireChanged()
    isChangedByObserver = true
    observation.isNotifying = true
  }

  private func takeChangeByObserver() -> Bool {
    defer { isChangedByObserver = false }
    return isChangedByObserver
  }

  /// Handles queued steps.
  ///
  /// Returns whether there were any.
  @discardableResult
  private func drainQueue() -> Bool {
    if queue.isEmpty { return false }
    while let step = queue.popFirst() {
      step.scope?.end()
      // An observation may have moved to another cascade since it sent the step.
      let cascade = step.effect?.cascade ?? step.cascade
      if !isClosed, !cascade.isCancelled, step.effect?.isCancelled != true,
        step.scope?.isGone != true
      {
        handled += 1
        if let transaction = step.transaction { self.transaction = transaction }
        isDerived = false
        step.perform()
        endMissingParts()
      }
      step.cascade.end()
    }
    return true
  }

  /// The limit of publications in one turn: twice the guaranteed length of a chain.
  private static var publicationLimit: Int { 200_000 }

  /// Stops a turn whose actions cause further actions endlessly.
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

  /// Drops the queued steps, and ends the sequences that contain them.
  private func dropQueue() {
    while let step = queue.popFirst() {
      step.scope?.end()
      // End the sequences first: otherwise, the end of a part would begin the next part.
      step.cascade.breakSequences()
      step.cascade.end()
    }
  }

  /// Publishes the changes of a turn's steps.
  private func publish() {
    guard let transaction else { return publishPlainly() }
    self.transaction = nil
    transaction.publish { publishPlainly() }
  }

  private func publishPlainly() {
    if let derive, !isDerived { derive() }
    isDerived = false
    observation.publish()
  }
}

/// The default limit of the actions that one turn may feed back or queue.
@usableFromInline package var defaultStepLimit: Int { 1_000_000 }

/// The part of a runtime that does not depend on the types of state and actions.
///
/// A turn is an outermost step with everything that follows from it in the same call, up to the
/// publication. This class is not generic and is compiled once, which is the main reason why
/// effects are cheap.
@MainActor
@usableFromInline
final class RuntimeCore: TableOwner {
  // The flags come first, beside each other, which saves memory.
  // Unchecked, like the next property: every access is a single load or store on the main actor.
  /// True from the start of an outermost step until the queue is empty.
  @exclusivity(unchecked) @usableFromInline var isInTurn = false
  /// True while a step needs more than a call of the handler and a publication.
  @exclusivity(unchecked) @usableFromInline private(set) var needsFullTurn = false
  /// Whether features of the tree may share values with other features.
  @exclusivity(unchecked) @usableFromInline var sharesValues = false
  /// Unchecked, like the first properties.
  @exclusivity(unchecked) private(set) var isClosed = false
  /// Whether an observer has sent an action during the last publication.
  @exclusivity(unchecked) private var isChangedByObserver = false
  /// False at the end of an endless chain of actions from observers.
  ///
  /// Further actions are queued and dropped.
  @exclusivity(unchecked) private var allowsSendsOfObservers = true
  /// Whether the view state was derived after the last step already.
  @exclusivity(unchecked) private var isDerived = false

  // Made with the first read or the first effect: many view models are made and soon dropped.
  // Unchecked, like the first properties.
  /// The observed parts of the view state; `nil` before the first read.
  @exclusivity(unchecked) @usableFromInline private(set) var madeTable: ObservationTable?
  /// The effects; `nil` before the first effect.
  @exclusivity(unchecked) private var registry: EffectRegistry?
  /// Derives the view state after an outermost step; `nil` if the view state is the state itself.
  @usableFromInline let derive: (@MainActor () -> Void)?
  private let options: RuntimeOptions
  /// The state that only full turns need; `nil` before the first full turn.
  @exclusivity(unchecked) private var madeTurns: FullTurns?

  @usableFromInline
  init(_ options: RuntimeOptions, derive: (@MainActor () -> Void)?) {
    self.options = options
    self.derive = derive
    needsFullTurn = options.observesSteps
  }

  /// Receives the events between the steps.
  var watch: RuntimeWatch? { options.watch }

  /// The observed parts of the view state, made on first use.
  @usableFromInline var observation: ObservationTable {
    if let madeTable { return madeTable }
    let table = ObservationTable()
    if isClosed { table.close() }
    madeTable = table
    return table
  }

  /// The effects, made on first use.
  var effects: EffectRegistry {
    if let registry { return registry }
    let registry = EffectRegistry(
      clock: options.clock, host: options.host, observeEffect: options.observeEffect)
    registry.core = self
    self.registry = registry
    return registry
  }

  private var turns: FullTurns {
    if let madeTurns { return madeTurns }
    let turns = FullTurns()
    madeTurns = turns
    return turns
  }

  private var isQueueEmpty: Bool { madeTurns?.queue.isEmpty ?? true }

  /// The shared values that the current step has changed.
  var changedValues: [any SharedContent] {
    get { madeTurns?.changedValues ?? [] }
    set { turns.changedValues = newValue }
  }

  /// The effect that opened this turn by a send.
  var sender: Effect? { madeTurns?.sender }

  /// The number of steps that the observer has received.
  var steps: Int { madeTurns?.steps ?? 0 }

  /// The number of emissions of the steps that the observer has received.
  var emissions: Int { madeTurns?.emissions ?? 0 }

  #if DEBUG
    /// Names the action whose handler requests effects; `nil` outside of such a handler.
    var requester: (() -> String)? { madeTurns?.requester }
  #endif

  func cancel(_ key: EffectKey) { registry?.cancel(key) }

  /// The number of the running check for removed children; 0 outside of a check.
  var checkNumber: Int { registry?.checkNumber ?? 0 }

  /// The effects that run, sleep or wait, in the order of their requests.
  var runningEffects: [Effect] { registry?.all ?? [] }

  /// Updates whether a full turn is necessary.
  func updateNeeds() {
    needsFullTurn =
      options.observesSteps || sharesValues || !isQueueEmpty || registry?.isWatching == true
  }

  /// Counts a step for the observer.
  func countStep() -> Int {
    turns.steps += 1
    return turns.steps
  }

  /// Counts the emission of an observed step.
  func countEmission() {
    turns.emissions += 1
  }

  /// Carries out the emission of an action.
  func withRequester(_ action: @autoclosure @escaping () -> Any, _ carryOut: () -> Void) {
    #if DEBUG
      let turns = self.turns
      let outer = turns.requester
      defer { turns.requester = outer }
      turns.requester = { CaseNames.of(action()) }
    #endif
    carryOut()
  }

  /// Carries out an emission that no particular action has caused.
  func withoutRequester(_ carryOut: () -> Void) {
    #if DEBUG
      let turns = self.turns
      let outer = turns.requester
      defer { turns.requester = outer }
      turns.requester = nil
    #endif
    carryOut()
  }

  /// Cancels all effects.
  ///
  /// Called after the last view model was released.
  @usableFromInline
  func close() {
    isClosed = true
    registry?.close()
    madeTable?.close()
    updateNeeds()
  }

  func report(_ error: RuntimeError, from effect: Int? = nil) {
    watch?.reported(error, effect)
    // The app has already received the errors that a rehearsal repeats.
    if !isRehearsed { options.onError(error) }
  }

  /// Reports only the first finding about an object.
  func report(once: ObjectIdentifier, _ error: @MainActor () -> RuntimeError) {
    if turns.reportedObjects.insert(once).inserted { report(error()) }
  }

  /// Reports only the first finding about a part of a view state.
  func report(oncePart part: AnyKeyPath, _ error: () -> RuntimeError) {
    if turns.reportedParts.insert(part).inserted { report(error()) }
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

  /// Ends the effects and the lives of the parts that the last step has removed.
  private func endMissingParts() {
    registry?.endMissingScopes()
    madeTable?.endLives()
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
    if needsFullTurn || madeTable?.isActive == true || derive != nil {
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
    let turns = self.turns
    turns.transaction = transaction
    turns.sender = sender
    step()
    endMissingParts()
    drain(isChanged: isChanged)
  }

  /// Handles the queued steps.
  ///
  /// During an open turn it does nothing; that turn handles them.
  func turnIfNeeded() {
    if isInTurn || isQueueEmpty { return }
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
    turns.queue.append(
      StepQueue.Step(
        perform: perform, cascade: cascade, effect: effect, transaction: transaction, scope: scope))
    needsFullTurn = true
  }

  /// Calls `send`; if the action is queued, it is handled only if the condition is true then.
  ///
  /// For nested parts, only the condition of the innermost part is used. This condition covers the
  /// others: if the life of a part around it ends, the life of the part ends too.
  func queue(
    _ condition: @escaping @MainActor () -> Bool, _ send: () -> ActionTask
  ) -> ActionTask {
    let turns = self.turns
    if handlesAtOnce || turns.condition != nil { return send() }
    turns.condition = condition
    defer { turns.condition = nil }
    return send()
  }

  /// Queues a step from outside, with the condition of the part that sends it.
  func enqueueFromOutside(
    _ cascade: Cascade, _ transaction: UpdateTransaction?,
    _ perform: @escaping @MainActor () -> Void
  ) {
    guard let condition = madeTurns?.condition.take() else {
      return enqueue(cascade, nil, transaction, perform)
    }
    enqueue(cascade, nil, transaction) { if condition() { perform() } }
  }

  /// Lets an effect send several steps with one publication after the last step.
  func batch(_ effect: Effect, _ body: () -> Void) {
    if isInTurn { return body() }
    turn(nil, sender: effect) {
      let turns = self.turns
      turns.batching = effect
      body()
      turns.batching = nil
    }
  }

  /// Whether an effect sends the open batch.
  ///
  /// Only that effect may apply updates during the open turn.
  func isBatching(_ effect: Effect) -> Bool {
    madeTurns?.batching === effect
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
        if publications >= Self.publicationLimit, !isQueueEmpty {
          // Report first, because actions that the receiver of the report sends must be dropped
          // too.
          report(.endlessSends(publications: publications))
          dropQueue()
        }
      }
    } while !isQueueEmpty || isChanged
    if let madeTurns {
      madeTurns.handled = 0
      madeTurns.sender = nil
    }
    updateNeeds()
    isInTurn = false
  }

  /// Whether a step can be handled at once, because an observer sends it.
  ///
  /// The next observer of the same change then sees the result of the step. For example, if two
  /// views respond to an event, only the first view still finds the event.
  var handlesAtOnce: Bool {
    madeTable?.isNotifying == true && isQueueEmpty && allowsSendsOfObservers
  }

  /// Handles a step that an observer sends, with everything that follows from it.
  ///
  /// Its changes are published after the current publication. They are detected at once: an
  /// observer that has read an earlier value must be notified, even if a later step restores that
  /// value.
  func handleAtOnce(_ transaction: UpdateTransaction?, _ step: () -> Void) {
    observation.isNotifying = false
    step()
    endMissingParts()
    drainQueue()
    if let transaction { turns.transaction = transaction }
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
    guard let turns = madeTurns, !turns.queue.isEmpty else { return false }
    while let step = turns.queue.popFirst() {
      step.scope?.end()
      // An observation may have moved to another cascade since it sent the step.
      let cascade = step.effect?.cascade ?? step.cascade
      if !isClosed, !cascade.isCancelled, step.effect?.isCancelled != true,
        step.scope?.isGone != true
      {
        turns.handled += 1
        if let transaction = step.transaction { turns.transaction = transaction }
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
    guard let madeTurns, madeTurns.handled > options.stepLimit else { return false }
    madeTurns.handled = 0
    report(.endlessActions(action: action(), steps: options.stepLimit))
    cascade.breakSequences()
    dropQueue()
    return true
  }

  /// Drops the queued steps, and ends the sequences that contain them.
  private func dropQueue() {
    while let step = madeTurns?.queue.popFirst() {
      step.scope?.end()
      // End the sequences first: otherwise, the end of a part would begin the next part.
      step.cascade.breakSequences()
      step.cascade.end()
    }
  }

  /// Publishes the changes of a turn's steps.
  private func publish() {
    guard let transaction = madeTurns?.transaction.take() else { return publishPlainly() }
    transaction.publish { publishPlainly() }
  }

  private func publishPlainly() {
    if let derive, !isDerived { derive() }
    isDerived = false
    madeTable?.publish()
  }
}

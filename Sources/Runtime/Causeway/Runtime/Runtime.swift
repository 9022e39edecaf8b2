/// Runs a resolved interactor: handles steps in order, starts effects and publishes.
///
/// All of this happens on the main actor. The path of an action that starts no effect and that no
/// view observes is inlined into the client and allocates nothing.
@usableFromInline
final class Runtime<State: Sendable, Action: Sendable>: EffectPort<State, Action> {
  @usableFromInline typealias Resolved = ResolvedInteractor<State, Action>
  @usableFromInline typealias StateChange = StepObserver<State, Action>.StateChange

  @usableFromInline let box: StateBox<State>
  // The next properties are copied from the interactor. If the interactor were stored, its size
  // would depend on `State`, and the compiler would not know the offsets of this class's fields.
  @usableFromInline let handler: Resolved.PlacedHandler
  @usableFromInline let updater: Resolved.Updater?
  @usableFromInline let exchange: SharedExchange<State>?
  /// Receives the steps.
  ///
  /// It is an object, which takes one word if there is no observer.
  @usableFromInline let receiver: StepReceiver<State, Action>?

  @inlinable
  init(
    _ interactor: ResolvedInteractor<State, Action>, box: StateBox<State>,
    observer: StepObserver<State, Action>?, core: RuntimeCore
  ) {
    self.box = box
    handler = interactor.handle
    updater = interactor.updater
    exchange = interactor.exchange
    receiver = observer.map { StepReceiver($0) }
    super.init(core: core)
    if receiver != nil { core.attach(self) }
    if exchange != nil { beginSharing() }
  }

  /// Makes a runtime whose effects run on a host.
  package convenience init(
    _ interactor: ResolvedInteractor<State, Action>,
    box: StateBox<State>,
    clock: any Clock<Duration>,
    host: any EffectHost,
    observer: StepObserver<State, Action>?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    let options = RuntimeOptions(
      clock: clock, host: host, stepLimit: defaultStepLimit, observesSteps: observer != nil,
      observeEffect: observer?.observeEffect, watch: observer?.watch, onError: onError)
    self.init(
      interactor, box: box, observer: observer, core: RuntimeCore(options, derive: nil))
  }

  @inlinable
  convenience init(
    _ interactor: ResolvedInteractor<State, Action>,
    box: StateBox<State>,
    clock: any Clock<Duration> = ContinuousClock(),
    stepLimit: Int = defaultStepLimit,
    observer: StepObserver<State, Action>? = nil,
    derive: (@MainActor () -> Void)? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.init(
      interactor, box: box, observer: observer,
      core: RuntimeCore(.of(clock, stepLimit, observer, onError), derive: derive))
  }

  /// Handles an action from outside.
  ///
  /// The state and the views are up to date on return.
  @inlinable
  func send(_ action: Action, _ transaction: UpdateTransaction? = nil) -> ActionTask {
    guard transaction == nil, core.openQuickTurn() else {
      return sendSlowPath(action, transaction)
    }
    let emission = handle(action)
    if emission.node != nil { return finish(emission, action) }
    core.closeQuickTurn()
    return ActionTask(nil)
  }

  @inlinable
  func handle(_ action: Action) -> Emission<State, Action> {
    box.isMutating = true
    let emission = handler(box.pointer, action, ProvidedValues())
    box.isMutating = false
    return emission
  }

  /// Handles an action in a full turn, or queues the action during an open turn.
  @usableFromInline
  func sendSlowPath(_ action: Action, _ transaction: UpdateTransaction?) -> ActionTask {
    let cascade = Cascade()
    var isStarting = false
    if core.handlesAtOnce {
      core.handleAtOnce(transaction) { isStarting = perform(action, cascade, nil) }
      return ActionTask(isStarting ? cascade : nil)
    }
    if core.isInTurn {
      core.enqueueFromOutside(cascade, transaction) { self.perform(action, cascade, nil) }
      return ActionTask(cascade)
    }
    core.turn(transaction) { isStarting = perform(action, cascade, nil) }
    return ActionTask(isStarting ? cascade : nil)
  }

  /// Completes ``send(_:_:)``: starts the effects and publishes.
  @usableFromInline
  func finish(_ emission: Emission<State, Action>, _ action: Action) -> ActionTask {
    let cascade = Cascade(origin: core.steps)
    core.turn(nil) {
      if let node = emission.node { core.withRequester(action) { carryOut(node, cascade) } }
    }
    return ActionTask(cascade)
  }

  override var current: State? {
    box.value
  }

  override func look(_ body: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    body(box.pointer)
    return true
  }

  override func update(
    _ effect: Effect, _ transaction: UpdateTransaction?, isFailure: Bool, _ update: @escaping Update
  ) {
    guard core.isInTurn else {
      return core.turn(transaction, sender: effect) {
        perform(update, effect, isFailure: isFailure)
      }
    }
    // Only the effect that sends the batch may continue, and only outside of an update.
    guard core.isBatching(effect), !box.isMutating else {
      return core.enqueue(effect.cascade, effect, transaction) {
        self.perform(update, effect, isFailure: isFailure)
      }
    }
    perform(update, effect, isFailure: isFailure)
    core.settle()
  }

  override func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    if core.isInTurn || receiver != nil || updater != nil || core.sharesValues {
      return super.change(effect, transaction, change)
    }
    guard transaction == nil, core.openQuickTurn() else {
      return core.turn(transaction, sender: effect) { apply(change) }
    }
    apply(change)
    core.closeQuickTurn()
  }

  private func apply(_ change: @MainActor (inout State) -> Void) {
    box.isMutating = true
    change(&box.pointer.pointee)
    box.isMutating = false
  }

  override func apply<Element>(
    _ elements: [Element],
    _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    if core.isInTurn || receiver != nil || updater != nil || core.sharesValues {
      return super.apply(elements, effect, update)
    }
    core.batch(effect) {
      for element in elements {
        box.isMutating = true
        update(&box.pointer.pointee, element)
        box.isMutating = false
        core.settle()
        if effect.isCancelled { return }
      }
    }
  }

  override func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    if core.isInTurn {
      return core.enqueue(effect.cascade, effect, transaction) {
        self.perform(action, effect.cascade, effect)
      }
    }
    core.turn(transaction, sender: effect) { perform(action, effect.cascade, effect) }
  }

  override func enqueue(_ action: Action, _ cascade: Cascade, from scope: EffectScope) {
    // The actions of a removed child are dropped, and its effects are cancelled.
    guard scope.admits else { return }
    core.enqueue(cascade, from: scope.isConditional ? scope : nil) {
      if self.core.stopEndlessTurn(at: CaseNames.of(action), in: cascade) { return }
      self.perform(action, cascade, nil)
    }
  }
}

// Steps.
extension Runtime {
  /// Whether a step is only a call of the handler: nothing receives it, and no values are shared.
  private var isPlain: Bool { receiver == nil && !core.sharesValues }

  /// Handles an action.
  ///
  /// Returns whether the action starts anything.
  @discardableResult
  private func perform(_ action: Action, _ cascade: Cascade, _ effect: Effect?) -> Bool {
    let emission = isPlain ? handle(action) : performFully(action, cascade, effect)
    guard let node = emission.node else { return false }
    core.countEmission()
    if cascade.origin == nil { cascade.origin = core.steps }
    core.withRequester(action) { carryOut(node, cascade) }
    return true
  }

  // The next functions are separate, because they look up the metadata of generic types.
  @inline(never)
  private func performFully(
    _ action: Action, _ cascade: Cascade, _ effect: Effect?
  ) -> Emission<State, Action> {
    let before = receiver?.observer.observe == nil ? nil : box.value
    receiver?.observer.observeBeginning?(action, UnsafePointer(box.pointer), effect?.id)
    let emission = share { handle(action) }
    if before != nil || receiver?.observer.observeBriefly != nil {
      report(.action(action, effect: effect?.id), before, cascade, effect) {
        [handler, exchange] state in
        SharedStep.repeating(state, exchange) { handler(state, action, ProvidedValues()) }.node
          == nil
      }
    }
    spreadValues()
    return emission
  }

  private func perform(_ update: @escaping Update, _ effect: Effect, isFailure: Bool) {
    let emission =
      isPlain ? apply(update) : performFully(update, effect, isFailure: isFailure)
    if let node = emission.node {
      core.countEmission()
      carryOut(node, effect.cascade)
    }
  }

  @inline(never)
  private func performFully(
    _ update: @escaping Update, _ effect: Effect, isFailure: Bool
  ) -> Emission<State, Action> {
    let before = receiver?.observer.observe == nil ? nil : box.value
    receiver?.observer.observeBeginning?(nil, UnsafePointer(box.pointer), effect.id)
    let emission = share { apply(update) }
    if before != nil || receiver?.observer.observeBriefly != nil {
      let id = effect.id
      report(
        isFailure ? .failure(effect: id) : .update(effect: id), before, effect.cascade, effect
      ) { [updater, exchange] state in
        SharedStep.repeating(state, exchange) { updater?(state, update) ?? update(state) }.node
          == nil
      }
    }
    spreadValues()
    return emission
  }

  private func apply(_ update: Update) -> Emission<State, Action> {
    box.isMutating = true
    defer { box.isMutating = false }
    if let updater { return updater(box.pointer, update) }
    return update(box.pointer)
  }

  /// Repeats a recorded step of an effect.
  ///
  /// The recorded change includes the work of the updater.
  func apply(_ change: @escaping StateChange, from effect: Effect, isFailure: Bool) {
    core.turn(nil, sender: effect) {
      receiver?.observer.observeBeginning?(nil, UnsafePointer(box.pointer), effect.id)
      let before = receiver?.observer.observe == nil ? nil : box.value
      box.isMutating = true
      _ = change(box.pointer)
      box.isMutating = false
      let id = effect.id
      report(
        isFailure ? .failure(effect: id) : .update(effect: id), before, effect.cascade, effect,
        change)
    }
  }

  private func report(
    _ cause: Step<State, Action>.Cause, _ before: State?, _ cascade: Cascade, _ effect: Effect?,
    _ change: @escaping StateChange
  ) {
    let number = core.countStep()
    let origin = cascade.origin ?? number
    cascade.origin = origin
    receiver?.observer.observeBriefly?(
      BriefStep(
        number: number, cause: cause, effectNumber: effect?.number, origin: origin,
        state: UnsafePointer(box.pointer), change: change))
    guard let before else { return }
    let step = Step(
      number: number, cause: cause, effectNumber: effect?.number, origin: origin,
      before: before, after: box.value)
    receiver?.observer.observe?(step)
    receiver?.observer.observeChange?(step, change)
  }
}

// Shared values.
extension Runtime: Sharer {
  /// Gives the initial state the values that its features share.
  @usableFromInline
  func beginSharing() {
    guard SharedStep.isUsed, let exchange, exchange.canShare([]) else { return }
    core.sharesValues = true
    core.updateNeeds()
    if core.isRehearsed { return }
    if SharedStep(of: self).take(into: box.pointer, exchange) { core.derive?() }
  }

  /// Runs a step, and gives all features the shared values that it has changed.
  private func share<Result>(_ step: () -> Result) -> Result {
    guard core.sharesValues, let exchange else { return step() }
    if core.isRehearsed { return SharedStep.repeating(box.pointer, exchange, step) }
    let shared = SharedStep(of: self)
    let result = shared.perform(step)
    box.isMutating = true
    _ = shared.take(into: box.pointer, exchange)
    box.isMutating = false
    core.changedValues = shared.changed
    return result
  }

  /// Passes the changes of the last step on to other trees and to observers.
  private func spreadValues() {
    if core.changedValues.isEmpty { return }
    let values = core.changedValues
    core.changedValues = []
    for value in values { value.spread(except: self) }
  }

  func takeShared() {
    if core.isClosed { return }
    if core.isInTurn { return core.enqueue(Cascade()) { self.takeValues() } }
    guard let exchange, SharedStep(of: self).isOld(box.pointer, exchange) else { return }
    core.turn(nil) { takeValues() }
  }

  private func takeValues() {
    let shared = SharedStep(of: self)
    guard let exchange, shared.isOld(box.pointer, exchange) else { return }
    let before = receiver?.observer.observe == nil ? nil : box.value
    let id = EffectID("sharing")
    receiver?.observer.observeBeginning?(nil, UnsafePointer(box.pointer), id)
    box.isMutating = true
    _ = shared.take(into: box.pointer, exchange)
    box.isMutating = false
    guard before != nil || receiver?.observer.observeBriefly != nil else { return }
    report(
      .update(effect: id), before, Cascade(), nil,
      SharedStep.copying(from: box.pointer, exchange))
  }
}

/// The observer of a runtime.
@MainActor
@usableFromInline
final class StepReceiver<State: Sendable, Action: Sendable> {
  let observer: StepObserver<State, Action>

  @usableFromInline
  init(_ observer: StepObserver<State, Action>) {
    self.observer = observer
  }
}

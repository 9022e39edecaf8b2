/// Runs a resolved interactor: handles steps in order, starts effects, publishes.
///
/// Everything here happens on the main actor. The path of an action that starts no effect and
/// that nobody observes is inlined into the client and allocates nothing.
@MainActor
@usableFromInline
final class Runtime<State: Sendable, Action: Sendable>: EffectPort<State, Action> {
  @usableFromInline typealias Resolved = ResolvedInteractor<State, Action>

  @usableFromInline let core: RuntimeCore
  @usableFromInline let box: StateBox<State>
  // Taken out of the interactor, whose size depends on the state's: so the fields of this class
  // are where the compiler knows them.
  @usableFromInline let handler: Resolved.PlacedHandler
  let updater: Resolved.Updater?
  /// Looked up once, and not for each effect.
  let effectType = FeatureEffect<State, Action>.self
  let observe: (@MainActor (Step<State, Action>) -> Void)?

  package init(
    _ interactor: ResolvedInteractor<State, Action>,
    box: StateBox<State>,
    clock: any Clock<Duration>,
    host: (any EffectHost)?,
    observer: StepObserver<State, Action>?,
    derive: (@MainActor () -> Void)?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.box = box
    handler = interactor.handle
    updater = interactor.updater
    observe = observer?.observe
    core = RuntimeCore(
      clock: clock, host: host, derive: derive, observesSteps: observer != nil,
      observeEffect: observer?.observeEffect, onError: onError)
    super.init()
  }

  @usableFromInline
  convenience init(
    _ interactor: ResolvedInteractor<State, Action>,
    box: StateBox<State>,
    clock: any Clock<Duration> = ContinuousClock(),
    observer: StepObserver<State, Action>? = nil,
    derive: (@MainActor () -> Void)? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.init(
      interactor, box: box, clock: clock, host: nil, observer: observer, derive: derive,
      onError: onError)
  }

  /// Handles an action from outside; when it returns, everything is up to date.
  @inlinable
  func send(_ action: Action, _ transaction: UpdateTransaction? = nil) -> ActionTask {
    if core.isDraining || core.isAttentive || transaction != nil {
      return sendAttentively(action, transaction)
    }
    core.isDraining = true
    let emission = handle(action)
    if emission.node != nil || core.isAttentive { return settle(emission) }
    if core.observation.isActive || core.derive != nil {
      core.finishQuickTurn()
    } else {
      core.isDraining = false
    }
    return ActionTask(nil)
  }

  @inlinable
  func handle(_ action: Action) -> Emission<State, Action> {
    box.isMutating = true
    let emission = handler(box.pointer, action)
    box.isMutating = false
    return emission
  }

  override var current: State {
    box.value
  }

  override func update(
    _ effect: Effect, _ transaction: UpdateTransaction?, _ update: @escaping Resolved.Update
  ) {
    guard effect.admits() else { return }
    apply(update, effect, transaction, isFailure: false)
  }

  override func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    if core.isDraining || core.isAttentive || updater != nil || transaction != nil {
      return super.change(effect, transaction, change)
    }
    guard effect.admits() else { return }
    core.isDraining = true
    box.isMutating = true
    change(&box.pointer.pointee)
    box.isMutating = false
    if core.isAttentive { core.drain(isChanged: true) } else { core.finishQuickTurn() }
  }

  override func apply<Element>(
    _ elements: [Element],
    _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    if core.isDraining || observe != nil || updater != nil {
      return super.apply(elements, effect, update)
    }
    guard effect.admits() else { return }
    core.batch(effect) {
      for element in elements {
        box.isMutating = true
        update(&box.pointer.pointee, element)
        box.isMutating = false
        if core.isAttentive { core.settle() }
        if effect.isCancelled { return }
      }
    }
  }

  override func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    guard effect.admits() else { return }
    core.enqueue(effect.cascade, effect, transaction) {
      self.perform(action, effect.cascade, effect)
    }
    core.drainUnlessDraining()
  }
}

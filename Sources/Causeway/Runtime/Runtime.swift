/// Runs a resolved interactor: handles steps in order, starts effects, publishes.
///
/// Everything here happens on the main actor. The path of an action that starts no effect and
/// that nobody observes is inlined into the client and allocates nothing.
@MainActor
@usableFromInline
final class Runtime<State: Sendable, Action: Sendable> {
  @usableFromInline let box: StateBox<State>
  @usableFromInline let handler: ResolvedInteractor<State, Action>.Handler
  @usableFromInline let observation: ObservationTable

  // Unchecked because every access to these is a single load or store on the main actor.
  /// True from the start of an outermost step until nothing is queued any more.
  @exclusivity(unchecked) @usableFromInline var isDraining = false
  /// True while there is more to do for a step than to call the handler.
  @exclusivity(unchecked) @usableFromInline var isAttentive = false

  var queue = StepQueue<State, Action>()
  var schedule = EffectSchedule<Effect<State, Action>>()
  /// All effects that run, sleep or wait.
  var effects: [Effect<State, Action>] = []
  /// The timers of open throttling windows.
  var windows: [EffectKey: Task<Void, Never>] = [:]
  nonisolated let endings = Endings<Effect<State, Action>>()
  nonisolated let clock: any Clock<Duration>
  nonisolated let executor: (any TaskExecutor)?

  /// Derives the view state after an outermost step, where it is not the state itself.
  let derive: (@MainActor (State) -> Void)?
  let onStep: (@MainActor (State) -> Void)?
  let onError: @MainActor (RuntimeError) -> Void

  @usableFromInline
  init(
    _ interactor: ResolvedInteractor<State, Action>,
    box: StateBox<State>,
    observation: ObservationTable = ObservationTable(),
    clock: any Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    derive: (@MainActor (State) -> Void)? = nil,
    onStep: (@MainActor (State) -> Void)? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.box = box
    self.handler = interactor.handler
    self.observation = observation
    self.clock = clock
    self.executor = executor
    self.derive = derive
    self.onStep = onStep
    self.onError = onError ?? RuntimeError.print
    isAttentive = derive != nil || onStep != nil
  }

  /// Handles an action from outside; when it returns, everything is up to date.
  @inlinable
  func send(_ action: Action) -> ActionTask {
    if isDraining || isAttentive { return sendAttentively(action) }
    isDraining = true
    let emission = handle(action)
    if emission.node == nil, !isAttentive, !observation.isActive {
      isDraining = false
      return ActionTask(nil)
    }
    return settle(emission)
  }

  @inlinable
  func handle(_ action: Action) -> Emission<State, Action> {
    box.isMutating = true
    let emission = handler(&box.pointer.pointee, action)
    box.isMutating = false
    return emission
  }
}

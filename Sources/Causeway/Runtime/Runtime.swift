/// Runs a resolved interactor: handles steps in order, starts effects, publishes.
///
/// Everything here happens on the main actor. The path of an action that starts no effect and
/// that nobody observes is inlined into the client and allocates nothing.
@MainActor
@usableFromInline
final class Runtime<State: Sendable, Action: Sendable> {
  @usableFromInline let box: StateBox<State>
  @usableFromInline let interactor: ResolvedInteractor<State, Action>
  @usableFromInline let observation: ObservationTable

  // Unchecked because every access to these is a single load or store on the main actor.
  /// True from the start of an outermost step until nothing is queued any more.
  @exclusivity(unchecked) @usableFromInline var isDraining = false
  /// True while there is more to do for a step than to call the handler.
  @exclusivity(unchecked) @usableFromInline var isAttentive = false

  var queue = StepQueue<State, Action>()
  var steps = 0
  var transaction: UpdateTransaction?

  var schedule = EffectSchedule<Effect<State, Action>>()
  /// All effects that run, sleep or wait.
  var effects: [Effect<State, Action>] = []
  /// How many effects there have been.
  var effectCount = 0
  var isClosed = false
  var scopes = ScopeWatch<State, Action>()
  /// The timers of open throttling windows.
  var windows: [EffectKey: Task<Void, Never>] = [:]
  nonisolated let endings = Endings<Effect<State, Action>>()
  nonisolated let clock: any Clock<Duration>
  /// Runs the effects, in tests.
  let host: (any EffectHost)?

  /// Derives the view state after an outermost step, where it is not the state itself.
  let derive: (@MainActor (State) -> Void)?
  let observer: StepObserver<State, Action>?
  let onError: @MainActor (RuntimeError) -> Void
  /// What was reported and is not to be reported again.
  var reported: Set<ObjectIdentifier> = []

  @usableFromInline
  init(
    _ interactor: ResolvedInteractor<State, Action>,
    box: StateBox<State>,
    clock: any Clock<Duration> = ContinuousClock(),
    host: (any EffectHost)? = nil,
    observer: StepObserver<State, Action>? = nil,
    derive: (@MainActor (State) -> Void)? = nil,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.box = box
    self.interactor = interactor
    self.observation = ObservationTable()
    self.clock = clock
    self.host = host
    self.observer = observer
    self.derive = derive
    self.onError = onError ?? RuntimeError.print
    updateAttention()
  }

  /// Handles an action from outside; when it returns, everything is up to date.
  @inlinable
  func send(_ action: Action) -> ActionTask {
    if isDraining || isAttentive { return sendAttentively(action, nil) }
    isDraining = true
    let emission = handle(action)
    if emission.node != nil || isAttentive { return settle(emission) }
    // From here on this is the end of ``drain()`` for a step that nothing followed from.
    if observation.isActive {
      observation.publish()
      if isAttentive { return settle(.state) }
    }
    isDraining = false
    return ActionTask(nil)
  }

  @inlinable
  func handle(_ action: Action) -> Emission<State, Action> {
    box.isMutating = true
    let emission = interactor.handle(box.pointer, action)
    box.isMutating = false
    return emission
  }

  func updateAttention() {
    isAttentive = derive != nil || observer != nil || !scopes.isEmpty || !queue.isEmpty
  }
}

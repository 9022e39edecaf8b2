/// The part of a runtime that does not know the types of state and actions.
///
/// It drains the queue of steps, keeps the books on effects and publishes. It is compiled once,
/// without generics, which is most of why effects are cheap.
@MainActor
@usableFromInline
final class RuntimeCore {
  // Unchecked because every access to these is a single load or store on the main actor.
  /// True from the start of an outermost step until nothing is queued any more.
  @exclusivity(unchecked) @usableFromInline var isDraining = false
  /// True while there is more to do for a step than to call the handler.
  @exclusivity(unchecked) @usableFromInline var isAttentive = false

  @usableFromInline let observation = ObservationTable()
  var queue = StepQueue()
  /// How many steps an observer has seen.
  var steps = 0
  var transaction: UpdateTransaction?
  /// The effect that is sending a batch.
  var batching: Effect?

  var schedule = EffectSchedule<Effect>()
  /// All effects that run, sleep or wait.
  ///
  /// Unchecked because nothing but the array runs while it is changed, on the main actor.
  @exclusivity(unchecked) var effects: [Effect] = []
  /// How many effects there have been.
  var effectCount = 0
  var isClosed = false
  var scopes = ScopeWatch()
  /// The timers of open throttling windows.
  var windows: [EffectKey: Task<Void, Never>] = [:]
  nonisolated let clock: any Clock<Duration>
  /// Runs the effects, in tests.
  let host: (any EffectHost)?

  /// Derives the view state after an outermost step, where it is not the state itself.
  @usableFromInline let derive: (@MainActor () -> Void)?
  private let observesSteps: Bool
  let observeEffect: (@MainActor (EffectEvent) -> Void)?
  private let onError: @MainActor (RuntimeError) -> Void
  /// What was reported and is not to be reported again.
  private var reported: Set<ObjectIdentifier> = []

  init(
    clock: any Clock<Duration>,
    host: (any EffectHost)?,
    derive: (@MainActor () -> Void)?,
    observesSteps: Bool,
    observeEffect: (@MainActor (EffectEvent) -> Void)?,
    onError: (@MainActor (RuntimeError) -> Void)?
  ) {
    self.clock = clock
    self.host = host
    self.derive = derive
    self.observesSteps = observesSteps
    self.observeEffect = observeEffect
    self.onError = onError ?? RuntimeError.print
    updateAttention()
  }

  func updateAttention() {
    isAttentive = observesSteps || !scopes.isEmpty || !queue.isEmpty
  }

  /// Publishes what the steps of a turn have changed.
  func publish() {
    guard let transaction else { return publishPlainly() }
    self.transaction = nil
    transaction.publish { publishPlainly() }
  }

  private func publishPlainly() {
    if let derive { derive() }
    observation.publish()
  }

  func report(_ error: RuntimeError) {
    onError(error)
  }

  /// Reports only the first finding about an object.
  func report(once: ObjectIdentifier, _ error: @MainActor () -> RuntimeError) {
    if reported.insert(once).inserted { onError(error()) }
  }
}

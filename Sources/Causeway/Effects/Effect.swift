/// A started or waiting effect: one object and one task.
///
/// It does not know the types of its state and actions, so that starting, cancelling and ending
/// effects is compiled once and needs no generic metadata at run time. ``FeatureEffect`` does.
@MainActor
@usableFromInline
class Effect {
  private enum Phase {
    case live, ended, cancelled
  }

  final let core: RuntimeCore
  final let identity: EffectIdentity
  /// The children that it belongs to and that can go away, innermost first.
  final let presences: [ScopePresence<Void>]
  /// What the action that started it is waiting for.
  final let cascade: Cascade
  final var task: Task<Void, Never>?
  /// The places in the runtime's list of effects, negative once it has left it, and in the
  /// cascade's.
  final var position = 0
  final var cascadePosition = 0
  /// Counts the effects of the runtime.
  final var number = 0
  /// Whether the schedule knows it: not a nameless parallel effect, which no policy counts, because
  /// there can be many and the books on them would cost more than starting them.
  final let isKeyed: Bool
  private final var phase = Phase.live

  init(
    _ core: RuntimeCore,
    _ identity: EffectIdentity,
    _ policy: EffectPolicy,
    _ presences: [ScopePresence<Void>],
    _ cascade: Cascade
  ) {
    self.core = core
    self.identity = identity
    isKeyed = identity.name != nil || policy != .parallel
    self.presences = presences
    self.cascade = cascade
  }

  final var id: EffectID { identity.id }

  /// Starts the task that does the work, after a delay on the runtime's clock if there is one.
  func start(after delay: Duration?) {
    preconditionFailure("\(Self.self) must override start(after:)")
  }

  /// Releases what only an effect needs that runs or waits.
  func letGo() {
    task = nil
  }

  /// Takes the effect off the books when its work has returned.
  final func end() {
    if isCancelled { return }
    phase = .ended
    letGo()
    core.end(self)
  }

  /// The same for a caller that is on the main actor by way of a parameter.
  ///
  /// The compiler does not know that this is the same, so the cast says it. It is one of a function
  /// without a context: `MainActor.assumeIsolated` would allocate that of its closure.
  final func end(on main: isolated MainActor) {
    let end: @MainActor (Effect) -> Void = { $0.end() }
    unsafeBitCast(end, to: ((Effect) -> Void).self)(self)
  }

  /// Cancels the task; from here on no send goes through, and work that waits never starts.
  final func cancel() {
    phase = .cancelled
    task?.cancel()
    letGo()
  }

  final var isCancelled: Bool {
    phase == .cancelled
  }

  /// Whether a send may go through.
  ///
  /// One that was kept beyond the end of its effect may not, and is reported, because nothing
  /// could cancel what it does any more.
  final func admits() -> Bool {
    switch phase {
    case .live:
      return true
    case .cancelled:
      return false
    case .ended:
      core.report(.sendAfterEnd(effect: id))
      return false
    }
  }
}

extension Effect: nonisolated Hashable {
  @usableFromInline
  nonisolated static func == (left: Effect, right: Effect) -> Bool {
    left === right
  }

  @usableFromInline
  nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

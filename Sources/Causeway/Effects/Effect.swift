/// A started or waiting effect: one object and one task.
///
/// It does not know the types of its state and actions, so that starting, cancelling and ending
/// effects is compiled once and needs no generic metadata at run time. ``FeatureEffect`` does.
@MainActor
@usableFromInline
class Effect {
  private enum Phase {
    case live, ended, cancelled
    /// Its own send has started its successor.
    case superseded(Supersession)
  }

  /// An effect that may return, and is cancelled if it goes on.
  private final class Supersession {
    let task: Task<Void, Never>?
    /// Cancels an effect that neither returns nor sends.
    private let grace: Task<Void, Never>

    init(_ task: Task<Void, Never>?) {
      self.task = task
      grace = Task { @concurrent in
        try? await Task.sleep(for: .seconds(1))
        if !Task.isCancelled { task?.cancel() }
      }
    }

    deinit {
      grace.cancel()
    }
  }

  final let scope: EffectScope
  /// The id, if one was given.
  private final let name: EffectName?
  /// The place of the call that asked for it.
  final let place: EffectPlace
  /// What the action that started it is waiting for.
  final let cascade: Cascade
  final var task: Task<Void, Never>?
  /// The places in the runtime's list of effects, negative once it has left it, in the cascade's
  /// and in the scope's.
  final var position = -1
  final var cascadePosition = 0
  final var scopePosition = 0
  /// Counts the effects of the runtime; 0 for a group.
  final var number = 0
  /// Whether the schedule knows it: not a nameless parallel effect, which no policy counts, because
  /// there can be many, and scheduling them would cost more than starting them.
  final let isKeyed: Bool
  private final var phase = Phase.live

  init(
    _ scope: EffectScope, _ name: EffectName?, _ place: EffectPlace, _ policy: EffectPolicy,
    _ cascade: Cascade
  ) {
    self.scope = scope
    self.name = name
    self.place = place
    isKeyed = name != nil || policy != .parallel
    self.cascade = cascade
  }

  final var core: RuntimeCore { scope.core }

  /// The given id, or that of the place.
  final var id: EffectID { name.map { EffectID($0) } ?? EffectID(place) }

  /// What policies and cancelling go by.
  final var key: EffectKey {
    EffectKey(scope: ObjectIdentifier(name == nil ? scope : scope.named), id: id)
  }

  /// Whether it is a sequence or a merge, whose effects are there themselves.
  var isGroup: Bool { false }

  /// Starts the task that does the work, after a delay on the runtime's clock if there is one.
  func start(after delay: Duration?) {
    preconditionFailure("\(Self.self) must override start(after:)")
  }

  /// Releases what only an effect needs that runs or waits.
  func letGo() {
    task = nil
  }

  /// Removes the effect when its work has returned.
  final func end() {
    if isCancelled {
      // It has returned in time.
      if isSuperseded { phase = .cancelled }
      return
    }
    phase = .ended
    letGo()
    core.effects.end(self)
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
  func cancel() {
    phase = .cancelled
    task?.cancel()
    letGo()
  }

  /// Ends the effect because its own send has started its successor.
  ///
  /// Its work may be about to return. So its task is cancelled only if it goes on: when it sends
  /// again, or after a second.
  final func supersede() {
    phase = .superseded(Supersession(task))
    letGo()
  }

  /// Whether it was cancelled, or its own send has started its successor.
  final var isCancelled: Bool {
    switch phase {
    case .cancelled, .superseded: true
    case .live, .ended: false
    }
  }

  final var isSuperseded: Bool {
    if case .superseded = phase { true } else { false }
  }

  /// Whether a send may go through.
  ///
  /// One that was kept beyond the end of its effect may not, and is reported, because nothing
  /// could cancel what it does any more. A send from a child task that was cancelled, such as the
  /// loser of a race, does nothing.
  final func admits() -> Bool {
    if Task.isCancelled { return false }
    switch phase {
    case .live:
      return true
    case .cancelled:
      return false
    case .superseded(let supersession):
      supersession.task?.cancel()
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

/// A started or waiting effect: one object and one task.
///
/// The class is not generic. The code that starts, cancels and ends effects is compiled once and
/// needs no generic metadata at run time. The subclass ``FeatureEffect`` is generic.
@MainActor
@usableFromInline
class Effect {
  private enum Phase {
    case live, ended, cancelled
    /// The effect is live, and its work may not have begun.
    case starting(EffectStart)
    /// A send of this effect has started its successor.
    case superseded(Supersession)
  }

  /// The state of a superseded effect: it may return, and is cancelled if it continues.
  private final class Supersession {
    let task: Task<Void, Never>?
    /// Cancels the effect if it neither returns nor sends within a second.
    private let grace: Task<Void, Never>

    @MainActor
    init(_ task: Task<Void, Never>?, _ effect: Effect) {
      self.task = task
      let effects = effect.core.effects
      let sleep = effects.graceClock.sleeper(for: .seconds(1))
      grace = Task(executorPreference: effects.timerExecutor(for: effect.id)) { @concurrent in
        // If the clock throws, the effect is cancelled early.
        try? await sleep()
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
  /// The source location of the call that requested the effect.
  final let place: EffectPlace
  /// The cascade of the action that started the effect.
  private(set) final var cascade: Cascade
  final var task: Task<Void, Never>?
  /// The indices of the effect in the runtime's list, the cascade's list and the scope's list.
  ///
  /// `position` is negative after the effect has left the runtime's list.
  final var position = -1
  final var cascadePosition = 0
  final var scopePosition = 0
  /// The number of the effect in its runtime; 0 for a group.
  final var number = 0
  /// Whether the schedule manages the effect.
  ///
  /// It does not manage nameless parallel effects. No policy counts them, there can be many, and
  /// scheduling them would cost more than starting them.
  final let isKeyed: Bool
  private final var phase = Phase.live
  /// Whether the effect has started without its work, because an ``EffectRehearsal`` is running.
  final var isHeld = false
  /// Whether the effect has ended the sequences around it by an error.
  private(set) final var hasFailed = false

  @usableFromInline
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

  /// The replaced observations whose waiting tasks need this effect; see ``inherit(from:)``.
  private final var heirs: [Effect] = []
  /// Whether the effect was replaced, and stays in its cascade for the task that waits there.
  private(set) final var isHeir = false

  final var core: RuntimeCore { scope.core }

  /// Whether an answer waits for this effect; see ``Cascade/insert(_:)``.
  private(set) final var isCounted = false

  /// The given id, or the id of the source location.
  final var id: EffectID { name.map { EffectID($0) } ?? EffectID(place) }

  /// The key for policies and cancellation.
  final var key: EffectKey {
    EffectKey(scope: ObjectIdentifier(scope), id: id)
  }

  /// Whether the effect has no id, so its source location identifies it.
  final var isNameless: Bool { name == nil }

  /// Whether the effect is a sequence or a merge.
  ///
  /// The effects of a group are listed separately.
  var isGroup: Bool { false }

  /// Whether the effect observes something outside of the feature.
  ///
  /// Only known before the start.
  var isObservation: Bool { false }

  /// Whether the work stays on the main actor.
  ///
  /// Only known before the start.
  var stays: Bool { false }

  /// Adds the effect to its cascade.
  final func join() {
    isCounted = true
    cascade.insert(self)
  }

  /// Removes the effect from its cascade.
  final func leave() {
    leaveCascade()
    if heirs.isEmpty { return }
    let heirs = self.heirs
    self.heirs = []
    for heir in heirs { heir.endHeirship() }
  }

  private final func leaveCascade() {
    let isCounted = self.isCounted
    self.isCounted = false
    cascade.remove(self, isCounted: isCounted)
  }

  /// Ends the sequences around the effect, which has failed.
  final func breakSequences() {
    hasFailed = true
    cascade.breakSequences(for: self)
  }

  /// Removes this effect from the work for which answers wait.
  final func stopCounting() {
    if !isCounted { return }
    isCounted = false
    cascade.stopCounting()
  }

  /// Whether the effect is a group with its own id, and the given effect is one of its parts.
  ///
  /// Effects that the handlers of its actions start are not parts.
  func hasPart(_ effect: Effect) -> Bool { false }

  /// Moves the effect out of a group with the same key that has started it.
  ///
  /// A group includes everything that it started. Without the move, an effect that replaces the
  /// group would be cancelled with the group, and an effect that waits for the group would wait for
  /// itself.
  ///
  /// If the effect is a part of the group, the group ends without it. This is reported, because the
  /// parts after it do not wait for it.
  ///
  /// Complexity: O(*n*) in the number of groups around the effect.
  final func leaveOwnGroup(_ policy: EffectPolicy) {
    guard var group = cascade.group else { return }
    let key = self.key
    let isReplacement: Bool
    switch policy {
    case .latest, .debounce:
      isReplacement = true
    case .serial:
      isReplacement = false
    case .limited(let limit):
      // With a free slot, the effect does not wait for the group.
      if !core.effects.isFull(key, limit) { return }
      isReplacement = false
    case .parallel, .first, .throttle:
      return
    }
    while true {
      if group.key == key {
        if !isReplacement, group.hasPart(self) { core.report(.partLeavesGroup(effect: id)) }
        cascade = group.cascade
      }
      guard let outer = group.cascade.group else { return }
      group = outer
    }
  }

  /// Moves an observation to a cascade of its own, for which no answer waits.
  final func moveToObservation() {
    cascade = cascade.makeObservation(of: scope)
  }

  // A view starts an observation and waits for it until it disappears. If two views start the same
  // observation by `.latest`, the second one replaces the first one, and serves both views: it ends
  // with the view that disappears last.

  /// Lets this observation also serve the tasks that wait for the replaced observation.
  ///
  /// The replaced observation, which was cancelled, stays in its cascade.
  ///
  /// Returns false if no task waits.
  final func inherit(from replaced: Effect) -> Bool {
    guard replaced.cascade.isObservation, cascade.isObservation else { return false }
    heirs += replaced.heirs.filter(\.isHeir)
    replaced.heirs = []
    guard replaced.cascade.isNeeded, cascade.isApart(from: replaced.cascade) else { return false }
    replaced.isHeir = true
    heirs.append(replaced)
    return true
  }

  /// Moves the effect to the cascade of a replaced observation for which a task waits.
  ///
  /// Called when the effect's own cascade was cancelled. The effect then continues for that task.
  ///
  /// Returns false if there is no such task.
  final func moveToHeir() -> Bool {
    heirs.removeAll { !$0.isHeir || $0.cascade.isCancelled }
    guard let heir = heirs.popLast() else { return false }
    leaveCascade()
    cascade = heir.cascade
    join()
    heir.endHeirship()
    return true
  }

  /// Removes a replaced effect from its cascade.
  final func endHeirship() {
    if !isHeir { return }
    isHeir = false
    leaveCascade()
  }

  /// Starts the work.
  func start() {
    preconditionFailure("\(Self.self) must override start()")
  }

  /// Returns the work for a task that starts later; `nil` if the effect was cancelled.
  func makeContinuation() -> EffectStart.Continuation? {
    preconditionFailure("\(Self.self) must override makeContinuation()")
  }

  /// Starts the work in a task that another effect can take over, after a delay if there is one.
  ///
  /// - Parameter duration: The delay on the runtime's clock. It begins now, and does not wait for a
  ///   free thread.
  final func start(after duration: Duration?) {
    // The effect has already taken over the task of the effect that it replaces.
    if task != nil { return }
    if core.isRehearsed { return start() }
    guard let run = makeContinuation() else { return }
    let start = EffectStart(duration ?? .zero, makeSleep(for: duration), then: run)
    releaseWork()
    phase = .starting(start)
    task = Task(executorPreference: core.effects.executor(for: self)) { @concurrent in
      await start.run()
    }
  }

  /// Takes over the task of an effect that this effect replaces, if the other effect has not begun.
  ///
  /// Returns false and does nothing if the other effect has begun, if the new deadline could be
  /// earlier than the other effect's deadline, or if this effect has a higher priority.
  final func takeOver(_ other: Effect, after duration: Duration?) -> Bool {
    guard task == nil, case .starting(let start) = other.phase, let run = makeContinuation(),
      start.move(duration ?? .zero, makeSleep(for: duration), then: run)
    else { return false }
    releaseWork()
    phase = .starting(start)
    task = other.task
    other.phase = .cancelled
    other.releaseWork()
    return true
  }

  private func makeSleep(for duration: Duration?) -> Sleep? {
    duration.map { core.effects.clock.sleeper(for: $0) }
  }

  /// Releases the task and the work, which the effect needs only while it runs or waits.
  func releaseWork() {
    task = nil
  }

  /// Removes the effect after its work has returned.
  final func end() {
    if isCancelled {
      // The superseded effect has returned before it was cancelled.
      if isSuperseded { phase = .cancelled }
      return
    }
    phase = .ended
    releaseWork()
    core.effects.end(self)
    // A waiting group may have begun with an action.
    core.turnIfNeeded()
  }

  /// Calls ``end()`` for a caller that is isolated to the main actor by a parameter.
  ///
  /// The compiler cannot see that the two isolations are the same, so the code casts. It casts a
  /// function without a context: `MainActor.assumeIsolated` would allocate the context of its
  /// closure.
  final func end(on main: isolated MainActor) {
    let end: @MainActor (Effect) -> Void = { $0.end() }
    unsafeBitCast(end, to: ((Effect) -> Void).self)(self)
  }

  /// Cancels the task.
  ///
  /// Later sends do nothing, and waiting work never starts.
  func cancel() {
    phase = .cancelled
    task?.cancel()
    releaseWork()
  }

  /// Marks the effect as superseded, because one of its sends has started its successor.
  ///
  /// Its work may be about to return. Its task is therefore cancelled only if it continues: at its
  /// next send, or after a second.
  final func supersede() {
    phase = .superseded(Supersession(task, self))
    releaseWork()
  }

  /// Whether the effect was cancelled or superseded.
  final var isCancelled: Bool {
    switch phase {
    case .cancelled, .superseded: true
    case .live, .starting, .ended: false
    }
  }

  final var isSuperseded: Bool {
    if case .superseded = phase { true } else { false }
  }

  /// Whether a send may proceed.
  ///
  /// If the effect has ended, a send does nothing and is reported, because a cancellation could no
  /// longer stop the results of the send. A send from a cancelled child task, such as the loser of
  /// a race, does nothing.
  final func admits() -> Bool {
    if Task.isCancelled { return false }
    switch phase {
    case .live, .starting:
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

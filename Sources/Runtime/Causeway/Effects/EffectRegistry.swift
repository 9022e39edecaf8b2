/// The effects of a runtime.
///
/// Carries out the decisions of their policies.
@MainActor
final class EffectRegistry {
  nonisolated let clock: any Clock<Duration>
  /// Runs the effects in tests; `nil` otherwise.
  private let host: (any EffectHost)?
  private let observeEffect: (@MainActor (EffectEvent) -> Void)?
  /// The core that owns the registry, set once.
  ///
  /// Only the core and calls through it hold the registry. A weak reference would make each
  /// reference count of the core slower.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) unowned var core: RuntimeCore?

  private var schedule = EffectSchedule<Effect>()
  /// Unchecked: the list is used only on the main actor, and no other code uses it while it
  /// changes.
  @exclusivity(unchecked) private var effects = EffectList()
  /// The number of effects that were started so far.
  private var count = 0
  /// The groups of removable children that have effects, without those in rows.
  ///
  /// Unchecked: the list is used only on the main actor, and no other code uses it while it
  /// changes.
  @exclusivity(unchecked) private var watched = ScopeGroupList()
  /// The number of the running check for removed children; 0 outside of a check.
  ///
  /// Unchecked: every access is a single load or store on the main actor.
  @exclusivity(unchecked) private(set) var checkNumber = 0
  private var checkCount = 0
  private var windows: [EffectKey: Window] = [:]
  private var sharedCalls = SharedCalls()
  /// True while a new effect replaces a group, whose effects are then cancelled.
  private var isReplacing = false

  /// The timer of an open throttling window.
  private struct Window {
    let scope: EffectScope
    let timer: Task<Void, Never>
  }

  init(
    clock: any Clock<Duration>, host: (any EffectHost)?,
    observeEffect: (@MainActor (EffectEvent) -> Void)?
  ) {
    self.clock = clock
    self.host = host
    self.observeEffect = observeEffect
  }

  /// All effects that run, sleep or wait, in the order of their requests.
  ///
  /// Complexity: O(*n*).
  var all: [Effect] { effects.all }

  /// Whether no effect and no timer is left.
  var isIdle: Bool { effects.isEmpty && windows.isEmpty }

  /// Whether a step may end effects by removing a child.
  var isWatching: Bool { !watched.isEmpty }

  /// The clock for the time in which a superseded effect must return.
  ///
  /// In an app, it is never the runtime's clock, because the sleep of that clock might not wait. A
  /// test with a host controls all delays.
  var graceClock: any Clock<Duration> { host == nil ? ContinuousClock() : clock }

  func executor(for effect: Effect) -> (any TaskExecutor)? {
    host?.executor(for: effect.id, number: effect.number)
  }

  /// Returns the executor for a timer of the effects with an id.
  func timerExecutor(for id: EffectID) -> (any TaskExecutor)? {
    host?.executor(for: id, number: nil)
  }

  /// Starts an effect now, later or never, as its policy decides.
  func begin(_ effect: Effect, _ policy: EffectPolicy) {
    effects.append(effect) { $0.position = $1 }
    effect.scope.insert(effect)
    if !effect.isGroup {
      count += 1
      effect.number = count
      observe(.began, of: effect, policy)
    }
    effect.join()
    if effect.isKeyed {
      #if DEBUG
        sharedCalls.add(effect, core?.requester)
      #endif
      carryOut(schedule.handle(.request(effect, effect.key, policy)), requestedBy: policy)
    } else {
      effect.start()
    }
  }

  /// Whether the number of running effects of a key has reached the limit.
  func isFull(_ key: EffectKey, _ limit: Int) -> Bool {
    schedule.runningCount(of: key) >= max(1, limit)
  }

  /// Carries out the commands of the schedule.
  ///
  /// - Parameter policy: The policy of the new effect from which the commands follow, if there is
  ///   one. The new effect may replace the effect whose send requested it.
  private func carryOut(
    _ commands: [EffectSchedule<Effect>.Command], requestedBy policy: EffectPolicy? = nil
  ) {
    let isRequest = policy != nil
    var started: Effect?
    for command in commands {
      switch command {
      case .start(let effect, let delay):
        started = effect
        // The cancellation of a cascade may not have reached this effect yet.
        if effect.isCancelled || effect.cascade.isCancelled { continue }
        if delay != nil || (policy == .latest && canHandOverTask(to: effect)) {
          effect.start(after: delay)
        } else {
          effect.start()
        }
      case .cancel(let effect):
        if isRequest, case .start(let successor, _) = commands.last {
          report(sharedCalls.finding(effect, successor))
        }
        if isRequest, effect === core?.sender {
          effect.supersede()
        } else if !handOverTask(of: effect, to: commands.last) {
          // A group may contain the effect whose send requested the replacement.
          isReplacing = isRequest
          effect.cancel()
          isReplacing = false
        }
        var isNeeded = false
        if policy == .latest, case .start(let successor, _) = commands.last {
          isNeeded = successor.inherit(from: effect)
        }
        remove(effect, stays: isNeeded)
      case .openWindow(let key, let interval):
        guard let scope = windows[key]?.scope ?? started?.scope else { continue }
        openWindow(key, interval, scope)
      }
    }
  }

  /// Passes the task of an effect that has not begun to the effect that the last command starts.
  ///
  /// Returns false and does nothing if that is not possible.
  private func handOverTask(
    of effect: Effect, to command: EffectSchedule<Effect>.Command?
  ) -> Bool {
    guard case .start(let successor, let delay) = command,
      delay == nil ? canHandOverTask(to: successor) : host == nil
    else { return false }
    return successor.takeOver(effect, after: delay)
  }

  /// Whether an effect without a delay may run in the task of another effect.
  ///
  /// A host runs each effect on its own executor, so each effect needs its own task. A group without
  /// a delay needs no task. An effect that stays on the main actor needs a task that begins there.
  private func canHandOverTask(to effect: Effect) -> Bool {
    host == nil && !effect.isGroup && !effect.stays
  }

  /// Removes an effect that has ended on its own or was cancelled.
  func end(_ effect: Effect) {
    // Inform the schedule first: the next part of a sequence may request the same key.
    if effect.isKeyed {
      carryOut(schedule.handle(.ended(effect, effect.key)))
    }
    remove(effect)
  }

  /// Removes an effect; does nothing if it was removed already.
  ///
  /// Ending one effect may end another effect that is about to be cancelled.
  ///
  /// Complexity: O(1).
  ///
  /// - Parameter stays: Whether the effect stays in its cascade, because its successor needs it there.
  private func remove(_ effect: Effect, stays: Bool = false) {
    if effect.position < 0 { return effect.endHeirship() }
    effects.remove(at: effect.position)
    effect.position = -1
    if effect.isKeyed { sharedCalls.remove(effect) }
    effect.scope.remove(effect)
    let isCancelled = effect.isCancelled && !effect.isSuperseded
    if !effect.isGroup { observe(isCancelled ? .cancelled : .ended, of: effect) }
    // This also applies to a superseded effect, because the next part of its sequence must not
    // begin after its successor.
    if effect.isCancelled { effect.cascade.breakSequences(for: effect) }
    if !stays { effect.leave() }
  }

  private func report(_ finding: RuntimeError?) {
    if let finding { core?.report(finding) }
  }

  /// Reports an operation of an effect to the observer.
  func observe(_ kind: EffectEvent.Kind, of effect: Effect, _ policy: EffectPolicy? = nil) {
    guard let observeEffect else { return }
    observeEffect(
      EffectEvent(
        kind: kind, number: effect.number, id: effect.id, place: effect.place,
        step: core?.steps ?? 0, policy: policy,
        isObservation: policy != nil && effect.isObservation, isFailure: effect.hasFailed))
  }

  /// Cancels the running and waiting effects of a key.
  ///
  /// Complexity: O(*n*) in the number of all effects if the key is a source location. A nameless
  /// parallel effect may have that key, and the schedule does not manage such effects.
  func cancel(_ key: EffectKey) {
    carryOut(schedule.handle(.cancel(key)))
    if key.id.place == nil { return }
    cancel(all.filter { !$0.isKeyed && $0.key == key })
  }

  /// Cancels effects, and reports their ends to the schedule.
  func cancel(_ effects: [Effect]) {
    // Cancel all effects before any ends: the end of one effect must not start another. Groups
    // come last, because a group also ends the effects inside it.
    let superseded = isReplacing ? core?.sender : nil
    isReplacing = false
    for effect in effects where !effect.isGroup {
      if effect === superseded { effect.supersede() } else { effect.cancel() }
    }
    for effect in effects where effect.isGroup { effect.cancel() }
    // All effects leave the schedule before a waiting effect starts. If the waiting effect is a
    // group, its effects may have the same keys.
    var commands: [EffectSchedule<Effect>.Command] = []
    for effect in effects where effect.isKeyed && !effect.isHeir {
      commands += schedule.handle(.ended(effect, effect.key))
    }
    carryOut(commands)
    for effect in effects {
      remove(effect)
    }
  }

  /// Cancels all effects and timers.
  ///
  /// Later effects do not start.
  func close() {
    if isIdle { return }
    let effects = all
    self.effects = EffectList()
    // Empty the lists first, because a group cancels its effects. No effect is then removed twice,
    // and the end of an effect does not start a waiting effect.
    schedule = EffectSchedule()
    for effect in effects {
      effect.position = -1
    }
    for effect in effects {
      effect.cancel()
    }
    for effect in effects {
      if !effect.isGroup { observe(.cancelled, of: effect) }
      effect.scope.remove(effect)
      effect.leave()
    }
    for (key, window) in windows {
      window.timer.cancel()
      window.scope.remove(window: key)
    }
    windows = [:]
  }
}

// Removable children.
extension EffectRegistry {
  /// Adds a group of removable children.
  func watch(_ group: ScopeGroup) {
    watched.append(group)
    core?.updateNeeds()
  }

  /// Complexity: O(1).
  func unwatch(_ group: ScopeGroup) {
    watched.remove(group)
    core?.updateNeeds()
  }

  /// Cancels the effects of the children that the last step removed.
  ///
  /// Complexity: O(*n*) in the number of compositions outside of rows, including the compositions
  /// around them. O(1) for each row that the step has changed or appended, for up to four rows.
  /// O(*n*) in the number of rows with effects if the step has removed or moved rows, or has
  /// changed more than four.
  func endMissingScopes() {
    if watched.isEmpty { return }
    var gone: [EffectScope] = []
    checkCount += 1
    checkNumber = checkCount
    for group in watched.all {
      group.collectGone(&gone)
    }
    checkNumber = 0
    if gone.isEmpty { return }
    var effects: [Effect] = []
    var keys: [EffectKey] = []
    for scope in gone {
      scope.leave(&effects, &keys)
    }
    effects.removeAll { $0.isCancelled }
    if effects.count > 1 { effects.sort { $0.number < $1.number } }
    cancel(effects)
    for key in keys {
      closeWindow(key)
      carryOut(schedule.handle(.windowEnded(key)))
    }
  }
}

// Throttling windows.
extension EffectRegistry {
  private func openWindow(_ key: EffectKey, _ interval: Duration, _ scope: EffectScope) {
    if core?.isRehearsed == true { return carryOut(schedule.handle(.windowEnded(key))) }
    let sleep = clock.sleeper(for: interval)
    let executor = timerExecutor(for: key.id)
    if windows[key] == nil { scope.insert(window: key) }
    windows[key] = Window(
      scope: scope,
      timer: Task(executorPreference: executor) { @concurrent [weak core] in
        do {
          try await sleep()
        } catch {
          return
        }
        await core?.effects.endWindow(key)
      })
  }

  private func endWindow(_ key: EffectKey) {
    guard let window = windows[key], !window.timer.isCancelled else { return }
    // The schedule may open the next window in the same scope immediately.
    let commands = schedule.handle(.windowEnded(key))
    if commands.isEmpty { closeWindow(key) }
    carryOut(commands)
    core?.turnIfNeeded()
  }

  private func closeWindow(_ key: EffectKey) {
    guard let window = windows.removeValue(forKey: key) else { return }
    window.timer.cancel()
    window.scope.remove(window: key)
  }
}

extension RuntimeCore {
  /// Takes an effect in; it starts now, later or never, as its policy has it.
  func begin(_ effect: Effect, _ policy: EffectPolicy) {
    if !effect.presences.isEmpty {
      guard scopes.insert(effect) else { return }
      isAttentive = true
    }
    effect.position = effects.count
    effectCount += 1
    effect.number = effectCount
    effects.append(effect)
    observe(.began, of: effect)
    effect.cascade.insert(effect)
    if effect.isKeyed {
      carryOut(schedule.handle(.request(effect, effect.identity.key, policy)))
    } else {
      effect.start(after: nil)
    }
  }

  /// Does what the schedule has decided.
  func carryOut(_ commands: [EffectSchedule<Effect>.Command]) {
    for command in commands {
      switch command {
      case .start(let effect, let delay):
        // Its cascade is being cancelled, one effect after the other: this one is still to come.
        if effect.isCancelled || effect.cascade.isCancelled { continue }
        effect.start(after: delay)
      case .cancel(let effect):
        effect.cancel()
        remove(effect)
      case .openWindow(let key, let interval):
        openWindow(key, interval)
      }
    }
  }

  /// Cancels an effect from outside the schedule.
  func cancel(_ effect: Effect) {
    effect.cancel()
    leaveSchedule(effect)
    remove(effect)
  }

  /// First of all, because what follows in a sequence may ask for the same key.
  private func leaveSchedule(_ effect: Effect) {
    if effect.isKeyed {
      carryOut(schedule.handle(.ended(effect, effect.identity.key)))
    }
  }

  /// Takes an effect off the books that ended by itself.
  func end(_ effect: Effect) {
    leaveSchedule(effect)
    remove(effect)
  }

  /// Does nothing for an effect that was removed already: the end of one may bring about that of
  /// another that is about to be cancelled.
  ///
  /// Complexity: O(1).
  private func remove(_ effect: Effect) {
    if effect.position < 0 { return }
    let last = effects.removeLast()
    if effect.position < effects.count {
      effects[effect.position] = last
      last.position = effect.position
    }
    effect.position = -1
    if !effect.presences.isEmpty {
      scopes.remove(effect)
      if !isDraining { updateAttention() }
    }
    observe(effect.isCancelled ? .cancelled : .ended, of: effect)
    effect.cascade.remove(effect)
  }

  private func observe(_ kind: EffectEvent.Kind, of effect: Effect) {
    guard let observeEffect else { return }
    observeEffect(
      EffectEvent(
        kind: kind, number: effect.number, id: effect.id, place: effect.identity.place,
        step: steps))
  }

  /// Cancels the effects of children that the last step removed.
  func endMissingScopes() {
    if scopes.isEmpty { return }
    let orphans = scopes.orphans().filter { !$0.isCancelled }
    cancel(orphans)
  }

  /// Cancels what runs or waits under a key.
  ///
  /// Complexity: O(*n*) in all effects for the id of a place, which a nameless parallel effect may
  /// have that the schedule does not know.
  func cancel(_ key: EffectKey) {
    carryOut(schedule.handle(.cancel(key)))
    if key.id.place == nil { return }
    let unscheduled = effects.filter { !$0.isKeyed && $0.identity.key == key }
    cancel(unscheduled.sorted { $0.number < $1.number })
  }

  /// Cancels effects from outside the schedule.
  private func cancel(_ effects: [Effect]) {
    // All at first, so that the end of one does not start another that has to go, too.
    for effect in effects {
      effect.cancel()
    }
    for effect in effects {
      cancel(effect)
    }
  }

  private func openWindow(_ key: EffectKey, _ interval: Duration) {
    let sleep = clock.sleeper(for: interval)
    let executor = host?.executor(for: key.id, number: nil)
    windows[key] = Task(executorPreference: executor) { @concurrent [weak self] in
      do {
        try await sleep()
      } catch {
        return
      }
      await self?.endWindow(key)
    }
  }

  private func endWindow(_ key: EffectKey) {
    windows[key] = nil
    carryOut(schedule.handle(.windowEnded(key)))
  }

  /// Cancels everything; called when the last view model is gone.
  @usableFromInline
  func close() {
    isClosed = true
    let effects = self.effects
    self.effects = []
    for effect in effects {
      effect.cancel()
      effect.position = -1
    }
    for effect in effects {
      observe(.cancelled, of: effect)
      effect.cascade.remove(effect)
    }
    schedule = EffectSchedule()
    scopes = ScopeWatch()
    for window in windows.values {
      window.cancel()
    }
    windows = [:]
    observation.close()
  }
}

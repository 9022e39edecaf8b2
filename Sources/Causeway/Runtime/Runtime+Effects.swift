extension Runtime {
  /// Does what a handler returned.
  func carryOut(_ node: EmissionNode<State, Action>, _ cascade: Cascade) {
    switch node {
    case .effect(let request):
      begin(request, cascade)
    case .action(let action):
      enqueue(action, cascade)
    case .cancel(let id, let path):
      carryOut(schedule.handle(.cancel(EffectKey(path: path, id: id))))
    case .merge(let nodes):
      for node in nodes {
        carryOut(node, cascade)
      }
    case .sequence(let nodes):
      carryOutInSequence(nodes[...], cascade)
    case .report(let error, let once):
      if reported.insert(once).inserted { report(error) }
    }
  }

  private func carryOutInSequence(
    _ nodes: ArraySlice<EmissionNode<State, Action>>, _ cascade: Cascade
  ) {
    guard let first = nodes.first else { return }
    let part = cascade.makePart()
    part.begin()
    carryOut(first, part)
    part.onFinish = { [weak self] in
      guard let self, !cascade.isCancelled else { return }
      carryOutInSequence(nodes.dropFirst(), cascade)
      drainUnlessDraining()
    }
    part.end()
  }

  private func begin(_ request: EffectRequest<State, Action>, _ cascade: Cascade) {
    if cascade.isCancelled || isClosed { return }
    let effect = Effect(request, runtime: self, cascade: cascade)
    if !request.presences.isEmpty {
      guard scopes.insert(effect, box.value) else { return }
      isAttentive = true
    }
    effect.position = effects.count
    effectCount += 1
    effect.number = effectCount
    effects.append(effect)
    observe(.began, of: effect)
    cascade.insert(effect)
    if let key = effect.key {
      carryOut(schedule.handle(.request(effect, key, request.policy)))
    } else {
      effect.start(after: nil)
    }
  }

  private func carryOut(_ commands: [EffectSchedule<Effect<State, Action>>.Command]) {
    for command in commands {
      switch command {
      case .start(let effect, let delay):
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
  func cancel(_ effect: Effect<State, Action>) {
    effect.cancel()
    remove(effect)
    if let key = effect.key {
      carryOut(schedule.handle(.ended(effect, key)))
    }
  }

  /// Takes all effects off the books that ended by themselves.
  func collectEndings() {
    for effect in endings.take() where !effect.isCancelled {
      effect.task = nil
      remove(effect)
      if let key = effect.key {
        carryOut(schedule.handle(.ended(effect, key)))
      }
    }
  }

  /// Complexity: O(1).
  private func remove(_ effect: Effect<State, Action>) {
    let last = effects.removeLast()
    if effect.position < effects.count {
      effects[effect.position] = last
      last.position = effect.position
    }
    if !effect.request.presences.isEmpty {
      scopes.remove(effect)
      if !isDraining { updateAttention() }
    }
    observe(effect.isCancelled ? .cancelled : .ended, of: effect)
    effect.cascade.remove(effect)
  }

  private func observe(_ kind: EffectEvent.Kind, of effect: Effect<State, Action>) {
    guard let observeEffect = observer?.observeEffect else { return }
    observeEffect(
      EffectEvent(
        kind: kind, number: effect.number, id: effect.request.id, place: effect.request.place,
        step: steps))
  }

  /// Cancels the effects of children that the last step removed.
  func endMissingScopes() {
    if scopes.isEmpty { return }
    for effect in scopes.orphans(box.value) where !effect.isCancelled {
      cancel(effect)
    }
  }

  private func openWindow(_ key: EffectKey, _ interval: Duration) {
    let clock = self.clock
    windows[key] = Task(executorPreference: host?.executor(for: key.id, number: nil)) {
      @concurrent [weak self] in
      do {
        try await clock.sleep(for: interval)
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
    for effect in effects {
      effect.cancel()
      observe(.cancelled, of: effect)
      effect.cascade.remove(effect)
    }
    effects = []
    schedule = EffectSchedule()
    scopes = ScopeWatch()
    for window in windows.values {
      window.cancel()
    }
    windows = [:]
    observation.close()
  }

  func report(_ error: RuntimeError) {
    onError(error)
  }
}

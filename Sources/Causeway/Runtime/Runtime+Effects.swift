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
    var rest = nodes
    // Held until the loop is over, so that the whole does not end between two parts.
    cascade.begin()
    defer { cascade.end() }
    while let first = rest.popFirst() {
      // Nothing waits for the last one: no part, so that a chain of sequences does not grow.
      if rest.isEmpty { return carryOut(first, cascade) }
      let part = cascade.makePart()
      part.begin()
      carryOut(first, part)
      let isOver = part.isLastPending
      if !isOver {
        part.onFinish = { [weak self, rest] in
          guard let self, !isClosed, !cascade.isCancelled else { return }
          carryOutInSequence(rest, cascade)
          drainUnlessDraining()
        }
      }
      part.end()
      if !isOver { return }
    }
  }

  private func begin(_ request: EffectRequest<State, Action>, _ cascade: Cascade) {
    if cascade.isCancelled || isClosed { return }
    let effect = Effect(request, runtime: self, cascade: cascade)
    if !request.presences.isEmpty {
      guard scopes.insert(effect, box.value) else { return }
      isAttentive = true
    }
    effect.position = effects.count
    effects.append(effect)
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
  func cancel(_ effect: Effect<State, Action>) {
    effect.cancel()
    leaveSchedule(effect)
    remove(effect)
  }

  /// First of all, because what follows in a sequence may ask for the same key.
  private func leaveSchedule(_ effect: Effect<State, Action>) {
    if let key = effect.key {
      carryOut(schedule.handle(.ended(effect, key)))
    }
  }

  /// Takes all effects off the books that ended by themselves.
  func collectEndings() {
    for effect in endings.take() where !effect.isCancelled {
      effect.task = nil
      leaveSchedule(effect)
      remove(effect)
    }
  }

  /// Does nothing for an effect that was removed already: the end of one may bring about that of
  /// another that is about to be cancelled.
  ///
  /// Complexity: O(1).
  private func remove(_ effect: Effect<State, Action>) {
    if effect.position < 0 { return }
    let last = effects.removeLast()
    if effect.position < effects.count {
      effects[effect.position] = last
      last.position = effect.position
    }
    effect.position = -1
    if !effect.request.presences.isEmpty {
      scopes.remove(effect)
      if !isDraining { updateAttention() }
    }
    effect.cascade.remove(effect)
  }

  /// Cancels the effects of children that the last step removed.
  func endMissingScopes() {
    if scopes.isEmpty { return }
    let orphans = scopes.orphans(box.value).filter { !$0.isCancelled }
    // All at first, so that the end of one does not start another that has to go, too.
    for effect in orphans {
      effect.cancel()
    }
    for effect in orphans {
      cancel(effect)
    }
  }

  private func openWindow(_ key: EffectKey, _ interval: Duration) {
    let clock = self.clock
    windows[key] = Task(executorPreference: executor) { @concurrent [weak self] in
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
    let effects = self.effects
    self.effects = []
    for effect in effects {
      effect.cancel()
      effect.position = -1
    }
    for effect in effects {
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

  func report(_ error: RuntimeError) {
    onError(error)
  }
}

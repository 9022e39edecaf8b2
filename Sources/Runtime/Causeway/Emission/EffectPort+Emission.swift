extension EffectPort {
  /// Carries out the emission that a handler returned.
  func carryOut(_ node: EmissionNode<State, Action>, _ cascade: Cascade) {
    switch node {
    case .effect(let request):
      begin(request.makeEffect(request, self, cascade), request.policy)
    case .group(let request):
      begin(GroupEffect(request, self, cascade), request.policy)
    case .action(let action):
      enqueue(action, cascade, from: self)
    case .cancel(let id):
      core.cancel(EffectKey(scope: ObjectIdentifier(self), id: id))
    case .merge(let nodes):
      for node in nodes {
        carryOut(node, cascade)
      }
    case .sequence(let nodes):
      carryOutInSequence(nodes[...], cascade)
    case .child(let emission):
      emission.carryOut(in: self, cascade)
    case .scoped(let site, let node):
      let scoped = child(ObjectIdentifier(site), nil) as? EffectPort ?? ScopedPort(self, site)
      scoped.carryOut(node, cascade)
    case .change(let node):
      core.withoutRequester { carryOut(node, cascade) }
    case .report(let once, let error):
      core.report(once: once, error)
    }
  }

  private func begin(_ effect: Effect, _ policy: EffectPolicy) {
    Cascade.cancelRequested()
    if effect.cascade.isCancelled || core.isClosed || !admits { return }
    effect.leaveOwnGroup(policy)
    if effect.isObservation { effect.moveToObservation() }
    core.effects.begin(effect, policy)
  }

  private func carryOutInSequence(
    _ nodes: ArraySlice<EmissionNode<State, Action>>, _ cascade: Cascade
  ) {
    var rest = nodes
    // The whole sequence must not end between two parts.
    cascade.begin()
    defer { cascade.end() }
    while let first = rest.popFirst() {
      // The last emission needs no part. Otherwise a chain of sequences would nest more and more
      // parts.
      if rest.isEmpty { return carryOut(first, cascade) }
      let part = cascade.makePart(of: self, isFollowed: true)
      part.begin()
      carryOut(first, part)
      let isOver = part.isLastPending
      if !isOver {
        // Keeps the scope linked. Otherwise, the removal of its child would not be detected.
        begin()
        part.onFinish = { [self, rest, unowned part] in
          if !core.isClosed, !cascade.isCancelled, !part.isBroken, admits {
            carryOutInSequence(rest, cascade)
          }
          end()
          core.turnIfNeeded()
        }
      }
      part.end()
      if !isOver || part.isBroken { return }
    }
  }
}

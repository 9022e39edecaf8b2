extension Runtime {
  /// Does what a handler returned.
  func carryOut(_ node: EmissionNode<State, Action>, _ cascade: Cascade) {
    switch node {
    case .effect(let request):
      begin(request, cascade)
    case .action(let action):
      core.enqueue(cascade, nil, nil) { self.perform(action, cascade, nil) }
    case .cancel(let id, let path):
      core.cancel(EffectKey(path: path, id: id))
    case .merge(let nodes):
      for node in nodes {
        carryOut(node, cascade)
      }
    case .sequence(let nodes):
      carryOutInSequence(nodes[...], cascade)
    case .report(let once, let error):
      core.report(once: once, error)
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
          guard let self, !core.isClosed, !cascade.isCancelled else { return }
          carryOutInSequence(rest, cascade)
          core.drainUnlessDraining()
        }
      }
      part.end()
      if !isOver { return }
    }
  }

  private func begin(_ request: EffectRequest<State, Action>, _ cascade: Cascade) {
    if cascade.isCancelled || core.isClosed { return }
    core.begin(effectType.init(request, self, cascade), request.policy)
  }
}

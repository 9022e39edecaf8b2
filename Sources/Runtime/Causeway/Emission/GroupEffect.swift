/// A sequence or a merge that policies and cancellation treat as one effect.
final class GroupEffect<State: Sendable, Action: Sendable>: Effect {
  private let port: EffectPort<State, Action>
  private var request: GroupRequest<State, Action>?
  /// The cascade of everything that the group started.
  private var part: Cascade?
  /// The source locations of the parts that have the id of the group; usually empty.
  private var ownParts: [EffectPlace] = []

  init(
    _ request: GroupRequest<State, Action>,
    _ port: EffectPort<State, Action>,
    _ cascade: Cascade
  ) {
    self.request = request
    self.port = port
    super.init(port, request.name, request.place, request.policy, cascade)
  }

  override var isGroup: Bool { true }

  override func hasPart(_ effect: Effect) -> Bool { ownParts.contains(effect.place) }

  override func releaseWork() {
    super.releaseWork()
    request = nil
  }

  override func start() {
    if let request = request.take() { begin(request) }
  }

  override func makeContinuation() -> EffectStart.Continuation? {
    guard let request else { return nil }
    return { error in
      if let error { await self.fail(error) } else { await self.beginTurn(request) }
    }
  }

  /// Ends the group with the error of the clock.
  private func fail(_ error: any Error) {
    if !isCancelled {
      cascade.breakSequences(for: self)
      if !(error is CancellationError) { core.report(.uncaughtError(error, effect: id)) }
    }
    end()
  }

  private func beginTurn(_ request: GroupRequest<State, Action>) {
    if isCancelled { return }
    core.turn(nil, isChanged: false) { begin(request) }
  }

  private func begin(_ request: GroupRequest<State, Action>) {
    let part = cascade.makePart(of: port, startedBy: self)
    self.part = part
    if let name = request.name { request.node.collectParts(of: name, &ownParts) }
    part.begin()
    port.carryOut(request.node, part)
    part.onFinish = { [weak self] in
      self?.part = nil
      self?.end()
    }
    part.end()
    // From now on, an answer waits for the effects of the group instead of the group itself.
    stopCounting()
  }

  override func cancel() {
    super.cancel()
    let part = self.part
    self.part = nil
    part?.cancel()
  }
}

extension EmissionNode {
  /// Appends the source locations of the effects and groups with the given id.
  ///
  /// Complexity: O(*n*) in the number of parts.
  fileprivate func collectParts(of name: EffectName, _ places: inout [EffectPlace]) {
    switch self {
    case .effect(let request):
      if request.name?.isEqual(to: name) == true { places.append(request.place) }
    case .group(let request):
      if request.name?.isEqual(to: name) == true { places.append(request.place) }
      request.node.collectParts(of: name, &places)
    case .merge(let nodes), .sequence(let nodes):
      for node in nodes { node.collectParts(of: name, &places) }
    case .scoped(_, let node), .change(let node):
      node.collectParts(of: name, &places)
    case .action, .cancel, .child, .report:
      break
    }
  }
}

/// A sequence or a merge that policies and cancellation treat as one effect.
final class GroupEffect<State: Sendable, Action: Sendable>: Effect {
  private let port: EffectPort<State, Action>
  private var request: GroupRequest<State, Action>?
  /// The cascade of everything that the group started.
  private var part: Cascade?

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

  override func letGo() {
    super.letGo()
    request = nil
  }

  override func start(after delay: Duration?) {
    guard let delay else { return begin() }
    let sleep = core.effects.clock.sleeper(for: delay)
    task = Task(executorPreference: core.effects.executor(for: self)) { @concurrent in
      do {
        try await sleep()
        await self.beginTurn()
      } catch {
        await self.end()
      }
    }
  }

  private func beginTurn() {
    core.turn(nil, isChanged: false) { begin() }
  }

  private func begin() {
    guard let node = request?.node else { return }
    request = nil
    let part = cascade.makePart(of: port)
    self.part = part
    part.begin()
    port.carryOut(node, part)
    part.onFinish = { [weak self] in
      self?.part = nil
      self?.end()
    }
    part.end()
  }

  override func cancel() {
    super.cancel()
    let part = self.part
    self.part = nil
    part?.cancel()
  }
}

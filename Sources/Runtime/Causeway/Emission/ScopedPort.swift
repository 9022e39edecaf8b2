/// The port of the second of two interactors in one body.
///
/// Two interactors of one type start their nameless effects at the same source location. Those
/// effects must not cancel each other. Explicit ids are local to each interactor as well.
final class ScopedPort<State: Sendable, Action: Sendable>: EffectPort<State, Action> {
  private let port: EffectPort<State, Action>
  private let site: CompositionSite

  init(_ port: EffectPort<State, Action>, _ site: CompositionSite) {
    self.port = port
    self.site = site
    super.init(port, ObjectIdentifier(site), row: nil, canGo: false)
  }

  override var isPresent: Bool { port.isPresent }
  override var current: State? { port.current }
  override var canLackState: Bool { port.canLackState }

  override func look(_ body: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    port.look(body)
  }

  /// Emissions from an update of a child belong to the scope of the child's other effects.
  override func update(
    _ effect: Effect, _ transaction: UpdateTransaction?, isFailure: Bool, _ update: @escaping Update
  ) {
    let site = self.site
    port.update(effect, transaction, isFailure: isFailure) { update($0).scoped(to: site) }
  }

  override func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    port.change(effect, transaction, change)
  }

  override func apply<Element>(
    _ elements: [Element],
    _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    port.apply(elements, effect, update)
  }

  override func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    port.send(effect, transaction, action)
  }

  override func dismiss(_ effect: Effect, _ transaction: UpdateTransaction?) -> Bool {
    port.dismiss(effect, transaction)
  }

  override func enqueue(_ action: Action, _ cascade: Cascade, from scope: EffectScope) {
    port.enqueue(action, cascade, from: scope)
  }
}

/// Carries out emissions and receives the sends of their effects.
///
/// A port belongs to the runtime or to a child in its parent.
@usableFromInline
class EffectPort<State: Sendable, Action: Sendable>: EffectScope {
  @usableFromInline typealias Update = ResolvedInteractor<State, Action>.Update

  /// The current state.
  var current: State {
    preconditionFailure("\(Self.self) must override current")
  }

  /// Calls `body` with the address of the state.
  ///
  /// Returns `nil` without calling `body` while there is no child.
  func look(_ body: (UnsafeMutablePointer<State>) -> UInt64?) -> UInt64? {
    preconditionFailure("\(Self.self) must override look(_:)")
  }

  /// Applies an update of an effect to the latest state.
  func update(
    _ effect: Effect, _ transaction: UpdateTransaction?, isFailure: Bool = false,
    _ update: @escaping Update
  ) {
    preconditionFailure("\(Self.self) must override update(_:_:isFailure:_:)")
  }

  /// Applies a change of an effect.
  ///
  /// A change returns no emission.
  func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    update(effect, transaction) {
      change(&$0.pointee)
      return .state
    }
  }

  /// Applies each element of an effect's sequence as one step, and publishes once.
  func apply<Element>(
    _ elements: [Element], _ effect: Effect,
    _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    core.batch(effect) {
      for element in elements {
        if effect.isCancelled { return }
        change(effect, nil) { update(&$0, element) }
      }
    }
  }

  /// Handles an action that an effect sent.
  func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    preconditionFailure("\(Self.self) must override send(_:_:_:)")
  }

  /// Removes the child of an effect, or the nearest ancestor that can be removed.
  ///
  /// Returns false and does nothing if there is no such child.
  func dismiss(_ effect: Effect, _ transaction: UpdateTransaction?) -> Bool { false }

  /// Queues an action that a handler in a scope has returned.
  func enqueue(_ action: Action, _ cascade: Cascade, from scope: EffectScope) {
    preconditionFailure("\(Self.self) must override enqueue(_:_:from:)")
  }
}

/// The port of a composed child.
final class ChildPort<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: EffectPort<State, Action> {
  private let lens: ChildLens<ParentState, ParentAction, State, Action>
  private let container: EffectPort<ParentState, ParentAction>

  init(
    _ container: EffectPort<ParentState, ParentAction>,
    _ lens: ChildLens<ParentState, ParentAction, State, Action>
  ) {
    self.lens = lens
    self.container = container
    super.init(container, lens.composition, row: lens.row, canGo: lens.canGo)
  }

  /// The child's state.
  ///
  /// After the child was removed, this is the initial value of its interactor.
  override var current: State {
    lens.value(in: container.current) ?? lens.resolvedChild.initialValue
  }

  override func look(_ body: (UnsafeMutablePointer<State>) -> UInt64?) -> UInt64? {
    container.look { lens.look($0, body) }
  }

  override var isPresent: Bool {
    look { _ in 1 } != nil
  }

  override var isRow: Bool { lens.isRow }

  override var rowsStamp: RowsStamp? {
    var stamp: RowsStamp?
    _ = container.look { parent in
      stamp = lens.rowsStamp(parent)
      return nil
    }
    return stamp
  }

  override func forEachChangedRow(
    since version: UInt64, _ body: (ChildID) -> Void
  ) -> Bool {
    container.look { lens.forEachChangedRow(since: version, $0, body) ? 1 : nil } != nil
  }

  override func update(
    _ effect: Effect, _ transaction: UpdateTransaction?, isFailure: Bool, _ update: @escaping Update
  ) {
    let lens = self.lens
    container.update(effect, transaction, isFailure: isFailure) { lens.apply(update, to: $0) }
  }

  override func change(
    _ effect: Effect,
    _ transaction: UpdateTransaction?,
    _ change: @escaping @MainActor (inout State) -> Void
  ) {
    // Only handlers for changes return emissions.
    if lens.resolvedChild.updater != nil { return super.change(effect, transaction, change) }
    let lens = self.lens
    container.change(effect, transaction) { parent in
      withUnsafeMutablePointer(to: &parent) { parent in
        _ = lens.modify(parent) { state in
          change(&state.pointee)
          return .state
        }
      }
    }
  }

  override func send(_ effect: Effect, _ transaction: UpdateTransaction?, _ action: Action) {
    container.send(effect, transaction, lens.embed(action))
  }

  override func dismiss(_ effect: Effect, _ transaction: UpdateTransaction?) -> Bool {
    guard lens.isRemovable else { return container.dismiss(effect, transaction) }
    let lens = self.lens
    container.update(effect, transaction) { parent in
      lens.remove(from: parent)
      return .state
    }
    return true
  }

  override func enqueue(_ action: Action, _ cascade: Cascade, from scope: EffectScope) {
    container.enqueue(lens.embed(action), cascade, from: scope)
  }
}

/// The port of the second of two interactors in one body.
///
/// Two interactors of one type start their nameless effects at the same source location. Those
/// effects must not cancel each other. The interactors of one body share explicit ids.
final class ScopedPort<State: Sendable, Action: Sendable>: EffectPort<State, Action> {
  private let port: EffectPort<State, Action>
  private let site: CompositionSite

  init(_ port: EffectPort<State, Action>, _ site: CompositionSite) {
    self.port = port
    self.site = site
    super.init(port, ObjectIdentifier(site), row: nil, canGo: false)
  }

  override var named: EffectScope { port.named }
  override var isPresent: Bool { port.isPresent }
  override var current: State { port.current }

  override func look(_ body: (UnsafeMutablePointer<State>) -> UInt64?) -> UInt64? {
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

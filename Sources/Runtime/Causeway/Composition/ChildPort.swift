/// The port of a composed child.
@usableFromInline
final class ChildPort<
  ParentState: Sendable, ParentAction: Sendable, State: Sendable, Action: Sendable
>: EffectPort<State, Action> {
  @usableFromInline let lens: ChildLens<ParentState, ParentAction, State, Action>
  @usableFromInline let container: EffectPort<ParentState, ParentAction>

  // Inlinable, because code compiled in this module would look up the metadata of the class.
  @inlinable
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
  /// After the child was removed, this is the initial value of its interactor, if it has one.
  override var current: State? {
    container.current.flatMap { lens.value(in: $0) } ?? lens.resolvedChild.initial?.value
  }

  override var canLackState: Bool { lens.resolvedChild.initial == nil }

  override func look(_ body: (UnsafeMutablePointer<State>) -> Void) -> Bool {
    var isPresent = false
    _ = container.look { isPresent = lens.look($0, body) }
    note(isPresent)
    return isPresent
  }

  override var isPresent: Bool {
    look { _ in }
  }

  override var isRow: Bool { lens.isRow }

  override var rowsStamp: RowsStamp? {
    guard lens.isRow else { return nil }
    var stamp: RowsStamp?
    _ = container.look { stamp = lens.rowsStamp($0) }
    return stamp
  }

  override func forEachChangedRow(
    since version: UInt64, _ body: (ChildID) -> Void
  ) -> Bool {
    var isKnown = false
    _ = container.look { isKnown = lens.forEachChangedRow(since: version, $0, body) }
    return isKnown
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

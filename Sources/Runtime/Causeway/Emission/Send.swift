/// Sends changes from an effect back to the main actor.
///
/// Call it in one of three ways:
///
/// ```swift
/// await send { $0.items.append(item) }   // an update of the latest state: cannot lose a change
/// await send(.loaded(items))             // an action, handled like one from the view
/// await send(replacing: State())         // a whole state: overwrites other changes
/// ```
///
/// Sends of one effect are applied in order. A send of a cancelled effect does nothing, even if it
/// was already waiting for the main actor when the effect was cancelled.
///
/// Isolation: the main actor. A call from an effect hops to the main actor, and then back.
@MainActor
public struct Send<State: Sendable, Action: Sendable>: Sendable {
  private let effect: FeatureEffect<State, Action>

  nonisolated init(_ effect: FeatureEffect<State, Action>) {
    self.effect = effect
  }

  private var port: EffectPort<State, Action> { effect.port }

  /// The current state.
  ///
  /// The read is reported to the observer.
  func readState() -> State {
    effect.core.effects.observe(.readState, of: effect)
    return effect.currentState
  }

  /// Replaces the whole state.
  ///
  /// Prefer an update closure: this call discards all changes since the effect read the state.
  ///
  /// - Parameters:
  ///   - state: The new state.
  ///   - transaction: Wraps the publication, for an animation.
  public func callAsFunction(replacing state: State, _ transaction: UpdateTransaction? = nil) {
    guard effect.admits() else { return }
    port.change(effect, transaction) { $0 = state }
  }

  /// Not available: a state is not an action.
  @available(
    *, unavailable,
    message: """
      update the latest state: send { $0.items = items }, or discard the changes since it was read: \
      send(replacing: state)
      """
  )
  @_disfavoredOverload
  public func callAsFunction(_ state: State, _ transaction: UpdateTransaction? = nil) {}

  /// Updates the latest state in place, atomically with respect to every other change.
  ///
  /// - Parameters:
  ///   - transaction: Wraps the publication, for an animation.
  ///   - update: Called once on the main actor before this method returns.
  public func callAsFunction(
    _ transaction: UpdateTransaction? = nil, _ update: @escaping @MainActor (inout State) -> Void
  ) {
    guard effect.admits() else { return }
    port.change(effect, transaction, update)
  }

  /// Sends an action.
  ///
  /// The interactor handles it before this method returns.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: Wraps the publication, for an animation.
  public func callAsFunction(_ action: Action, _ transaction: UpdateTransaction? = nil) {
    guard effect.admits() else { return }
    port.send(effect, transaction, action)
  }

  /// Removes the child of this effect from its parent's state.
  ///
  /// ```swift
  /// .perform { send in
  ///   try await api.save(draft)
  ///   await send.dismiss()
  /// }
  /// ```
  ///
  /// The optional part of an `ifLet` becomes `nil`; the row of a `forEach` is removed. If the child
  /// always exists or is in an enum case, the nearest removable ancestor is dismissed instead. The
  /// effects of the removed child are cancelled, including this one. If no ancestor can be removed,
  /// ``RuntimeError/nothingToDismiss(effect:)`` is reported.
  ///
  /// - Parameter transaction: Wraps the publication, for an animation.
  public func dismiss(_ transaction: UpdateTransaction? = nil) {
    guard effect.admits() else { return }
    if !port.dismiss(effect, transaction) {
      effect.core.report(.nothingToDismiss(effect: effect.id))
    }
  }

  /// Applies each element of a sequence as one step.
  @usableFromInline
  func apply<Element>(
    _ elements: [Element], _ update: @escaping @MainActor (inout State, Element) -> Void
  ) {
    guard effect.admits() else { return }
    port.apply(elements, effect, update)
  }
}

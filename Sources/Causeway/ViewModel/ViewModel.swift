public import Observation

/// Runs an interactor for a view: takes actions, offers the view state.
///
/// ```swift
/// let model = ViewModel(SearchInteractor(api: api))
/// model.send(.updateQuery("swift"))
/// model.query   // "swift", already
/// ```
///
/// Observation is per key path: a view that read `model.query` is invalidated when `query` has
/// another value, and by nothing else. A property that is not `Equatable`, and ``viewState`` as
/// a whole, invalidate with every publication.
///
/// Isolation: the main actor. ``send(_:)`` is synchronous; when it returns, the state, the view
/// state and the observers are up to date. When the view model goes away, its effects are
/// cancelled; a running effect does not keep it alive.
@MainActor
@dynamicMemberLookup
public final class ViewModel<ViewState, Action: Sendable>: Observable {
  @usableFromInline let source: ViewStateSource<ViewState>
  @usableFromInline let sendAction: @MainActor (Action, UpdateTransaction?) -> ActionTask
  @usableFromInline let lease: RuntimeLease

  /// The effects that run, sleep or wait, in no particular order.
  ///
  /// Empty when no effect runs, sleeps or waits.
  public var runningEffects: [EffectID] {
    lease.core.effects.all.map(\.id)
  }

  @usableFromInline
  init(
    source: ViewStateSource<ViewState>,
    lease: RuntimeLease,
    sendAction: @escaping @MainActor (Action, UpdateTransaction?) -> ActionTask
  ) {
    self.source = source
    self.lease = lease
    self.sendAction = sendAction
  }

  /// Handles an action; when it returns, everything is up to date.
  ///
  /// Called while another action is handled, from an observer for example, it queues the action,
  /// which is handled before the outermost `send` returns.
  ///
  /// - Returns: What the action started, to wait for or to cancel.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> ActionTask {
    sendAction(action, nil)
  }

  /// Handles an action, and publishes what it changes within a transaction.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: Wraps the publication, for an animation.
  /// - Returns: What the action started, to wait for or to cancel.
  @discardableResult
  public func send(_ action: Action, _ transaction: UpdateTransaction) -> ActionTask {
    sendAction(action, transaction)
  }

  /// The whole view state.
  ///
  /// Observing it means being invalidated by every publication.
  public var viewState: ViewState {
    source.observeAll()
    return source.value
  }

  /// A property of the view state.
  @inlinable
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<ViewState, Value>) -> Value {
    source.observe(keyPath)
  }

  /// A property of the view state that cannot be compared.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<ViewState, Value>) -> Value {
    viewState[keyPath: keyPath]
  }
}

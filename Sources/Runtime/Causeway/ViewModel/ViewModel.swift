public import Observation

/// Runs an interactor for a view: handles actions and provides the view state.
///
/// ```swift
/// let model = ViewModel(SearchInteractor(api: api))
/// model.send(.updateQuery("swift"))
/// model.query   // "swift", already
/// ```
///
/// Observation is per key path: a view that read `model.query` is invalidated only when the value
/// of `query` changes. A property that is not `Equatable`, and ``viewState`` as a whole, invalidate
/// their views at every publication.
///
/// Isolation: the main actor. ``send(_:)`` is synchronous. On return, the state, the view state and
/// the observers are up to date. When the view model is released, its effects are cancelled. A
/// running effect does not keep the view model alive.
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
    lease.core.runningEffects.map(\.id)
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

  /// Handles an action.
  ///
  /// The state and the views are up to date on return.
  ///
  /// A call during another action, for example from a handler or a step observer, queues the
  /// action. The queued action is handled before the outermost `send` returns. A call from an
  /// observer of a property is handled at once, so the next observer of the same change sees the
  /// result of the call. The changes of the call are published after the changes of the outermost
  /// `send`.
  ///
  /// - Returns: Everything that the action started, to wait for it or to cancel it.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> ActionTask {
    sendAction(action, nil)
  }

  /// Handles an action, and publishes its changes within a transaction.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - transaction: Wraps the publication, for an animation.
  /// - Returns: Everything that the action started, to wait for it or to cancel it.
  @discardableResult
  public func send(_ action: Action, _ transaction: UpdateTransaction) -> ActionTask {
    sendAction(action, transaction)
  }

  /// The whole view state.
  ///
  /// Every publication invalidates a view that observes it.
  @inlinable
  public var viewState: ViewState {
    @inline(__always)
    get {
      source.observeAll()
      return source.value
    }
  }

  /// A property of the view state.
  @inlinable
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<ViewState, Value>) -> Value {
    @inline(__always)
    get { source.observe(keyPath) }
  }

  /// A property of the view state that is not comparable.
  @inlinable
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<ViewState, Value>) -> Value {
    @inline(__always)
    get { source.observeIncomparable(keyPath) }
  }

  /// Not available: the view state can only be read.
  ///
  /// Without this subscript, the compiler would suggest to make the view model a `var`.
  @available(
    *, unavailable,
    message: "a view model's state is changed by actions: send an action, or bind the field"
  )
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<ViewState, Value>) -> Value {
    get { viewState[keyPath: keyPath] }
    set {}
  }
}

/// An interactor tree flattened into an initial value and one handler.
///
/// It has no mutable state: the runtime owns keys, timers and tasks. The modifiers of
/// ``Interactor`` return this type, so types do not grow with the number of modifiers.
public struct ResolvedInteractor<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action, and returns the effects to start.
  public typealias Handler = @MainActor (inout State, Action) -> Emission<State, Action>

  /// The state that a view model starts with by default.
  ///
  /// The program stops if the interactor has no initial value, because its parent makes its state.
  public var initialValue: State {
    guard let initial else { stopWithoutInitialValue(of: State.self) }
    return initial.value
  }
  /// `nil` if the parent makes the state, and for a part of a body whose condition is false.
  @usableFromInline let initial: InitialValue<State>?
  @usableFromInline let handle: PlacedHandler
  /// Applies an update of an effect and calls `onChange` handlers; `nil` if there are none.
  @usableFromInline let updater: Updater?
  /// Visits the features that share values; `nil` if no feature can.
  @usableFromInline let exchange: SharedExchange<State>?

  /// Makes a resolved interactor; a primitive returns this from ``Interactor/resolve()``.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with.
  ///   - handler: Called on the main actor, once for each action.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.init(initial: InitialValue(initialValue), updater: nil) { state, action, _ in
      handler(&state.pointee, action)
    }
  }

  @inlinable
  init(
    initial: InitialValue<State>?, updater: Updater? = nil, exchange: SharedExchange<State>? = nil,
    handle: @escaping PlacedHandler
  ) {
    self.initial = initial
    self.updater = updater
    self.exchange = exchange
    self.handle = handle
  }

  /// Returns itself.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    self
  }
}

extension ResolvedInteractor {
  /// An interactor that does nothing and has no initial value.
  @usableFromInline
  static var inert: ResolvedInteractor {
    ResolvedInteractor(initial: nil) { _, _, _ in .state }
  }

  /// A handler that receives the address of a state.
  ///
  /// A child's state is stored at an offset in its parent's state. With an `inout` parameter,
  /// access to the child's state needs a closure, and the standard library checks the isolation of
  /// a main-actor closure at each call. With a pointer, the access needs only an addition.
  ///
  /// The values come from the interactors above. They are a parameter, because a handler may send
  /// an action to another view model, whose handlers must not read these values.
  @usableFromInline typealias PlacedHandler =
    @MainActor (UnsafeMutablePointer<State>, Action, ProvidedValues) -> Emission<State, Action>
  @usableFromInline typealias Update = Emission<State, Action>.Update
  @usableFromInline typealias Updater =
    @MainActor (UnsafeMutablePointer<State>, Update) -> Emission<State, Action>

  /// Applies an update and everything that follows from it.
  @inlinable
  func apply(_ update: Update, to state: UnsafeMutablePointer<State>) -> Emission<State, Action> {
    if let updater { return updater(state, update) }
    return update(state)
  }
}

extension ResolvedInteractor {
  /// Returns the same interactor with a handler that wraps its own handler.
  ///
  /// - Parameter exchange: Visits the shared values of a new child.
  @inlinable
  func wrapped(
    exchange child: SharedExchange<State>? = nil, _ handle: @escaping PlacedHandler
  ) -> ResolvedInteractor {
    ResolvedInteractor(
      initial: initial, updater: updater, exchange: SharedExchange.both(exchange, child),
      handle: handle)
  }
}

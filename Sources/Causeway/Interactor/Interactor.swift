/// A feature's logic: how its state changes for each action, and which effects that starts.
///
/// A feature nests its `State` and `Action` and describes itself in ``body``:
///
/// ```swift
/// struct Counter: Interactor {
///   struct State { var count = 0 }
///   enum Action { case increment }
///
///   var body: some InteractorOf<Self> {
///     Interact(initialValue: State()) { state, action in
///       state.count += 1
///       return .state
///     }
///   }
/// }
/// ```
///
/// Isolation: everything in an interactor runs on the main actor. Only the work of an effect
/// (see ``Emission``) runs elsewhere.
@MainActor
public protocol Interactor<State, Action> {
  /// What the feature knows. A value; only handlers and updates change it.
  associatedtype State: Sendable
  /// What can happen in the feature.
  associatedtype Action: Sendable
  /// The type of ``body``; `Never` for a primitive that implements ``resolve()`` itself.
  associatedtype Body

  /// The interactors that this one is made of, in the order in which they see an action.
  @InteractorBuilder<State, Action> var body: Body { get }

  /// Flattens the interactor into an initial value and one handler.
  ///
  /// Called once for each ``ViewModel``, so `body` is not built again for every action. Only
  /// primitives implement it.
  func resolve() -> ResolvedInteractor<State, Action>
}

/// An interactor with the state and the actions of `I`; the usual type of a `body`.
public typealias InteractorOf<I: Interactor> = Interactor<I.State, I.Action>

extension Interactor where Body == Never {
  /// A primitive has no body.
  public var body: Never {
    preconditionFailure("\(Self.self) is a primitive: resolve it, it has no body.")
  }
}

extension Interactor where Body: Interactor, Body.State == State, Body.Action == Action {
  /// Resolves the body.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    body.resolve()
  }
}

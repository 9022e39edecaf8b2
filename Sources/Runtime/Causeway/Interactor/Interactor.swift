/// The logic of a feature: state changes and effects for each action.
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
  /// The state of the feature. It is a value that only handlers and updates change.
  associatedtype State: Sendable
  /// The events of the feature.
  associatedtype Action: Sendable
  /// The type of ``body``; `Never` for a primitive that implements ``resolve()`` itself.
  associatedtype Body

  /// The interactors that this interactor combines, in the order in which they receive an action.
  @InteractorBuilder<State, Action> var body: Body { get }

  /// Flattens the interactor into an initial value and one handler.
  ///
  /// Called once for each ``ViewModel``, so `body` is not built for every action. Only primitives
  /// implement it.
  func resolve() -> ResolvedInteractor<State, Action>
}

/// An interactor with the state and the actions of `I`; the usual type of a `body`.
public typealias InteractorOf<I: Interactor> = Interactor<I.State, I.Action>

extension Interactor where Body == Never {
  /// A primitive has no body.
  public var body: Never {
    preconditionFailure("\(Self.self) is a primitive and has no body. Call resolve() instead.")
  }
}

extension Interactor where Body: Interactor, Body.State == State, Body.Action == Action {
  /// Resolves the body.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    body.resolve()
  }
}

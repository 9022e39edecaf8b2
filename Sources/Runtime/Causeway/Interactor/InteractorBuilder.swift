/// Builds an interactor's body.
@MainActor
@resultBuilder
public enum InteractorBuilder<State: Sendable, Action: Sendable> {
  /// Infers the state and action types of the feature for literals in a body.
  @inlinable
  public static func buildExpression<I: Interactor>(_ interactor: I) -> I
  where I.State == State, I.Action == Action {
    interactor
  }

  /// A body with a single interactor is that interactor.
  @inlinable
  public static func buildPartialBlock<I: Interactor>(first: I) -> I
  where I.State == State, I.Action == Action {
    first
  }

  /// Later interactors receive each action after the earlier ones.
  @inlinable
  public static func buildPartialBlock<First: Interactor, Second: Interactor>(
    accumulated: First, next: Second
  ) -> ResolvedInteractor<State, Action>
  where
    First.State == State, First.Action == Action, Second.State == State, Second.Action == Action
  {
    .pair(accumulated.resolve(), next.resolve())
  }

  /// A part of a body whose condition is evaluated when the body is resolved.
  ///
  /// If the condition is false, the body uses the initial value of the first other part.
  @inlinable
  public static func buildOptional<I: Interactor>(
    _ interactor: I?
  ) -> ResolvedInteractor<State, Action>
  where I.State == State, I.Action == Action {
    interactor?.resolve() ?? .inert
  }

  /// The first of two parts of a body.
  @inlinable
  public static func buildEither<I: Interactor>(first: I) -> ResolvedInteractor<State, Action>
  where I.State == State, I.Action == Action {
    first.resolve()
  }

  /// The second of two parts of a body.
  @inlinable
  public static func buildEither<I: Interactor>(second: I) -> ResolvedInteractor<State, Action>
  where I.State == State, I.Action == Action {
    second.resolve()
  }

  /// Combines the parts that a loop in a body makes.
  ///
  /// They receive each action in the order of the loop.
  @inlinable
  public static func buildArray<I: Interactor>(
    _ interactors: [I]
  ) -> ResolvedInteractor<State, Action>
  where I.State == State, I.Action == Action {
    guard let first = interactors.first else { return .inert }
    return interactors.dropFirst().reduce(first.resolve()) { .pair($0, $1.resolve()) }
  }
}

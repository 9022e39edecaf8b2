/// Builds an interactor's body.
@MainActor
@resultBuilder
public enum InteractorBuilder<State: Sendable, Action: Sendable> {
  /// Gives literals in a body the state and the actions of the feature.
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

  /// Further interactors see each action after those before them.
  @inlinable
  public static func buildPartialBlock<First: Interactor, Second: Interactor>(
    accumulated: First, next: Second
  ) -> InteractorPair<First, Second>
  where
    First.State == State, First.Action == Action, Second.State == State, Second.Action == Action
  {
    InteractorPair(accumulated, next)
  }
}

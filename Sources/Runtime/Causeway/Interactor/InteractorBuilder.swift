/// Builds an interactor's body.
@MainActor
@resultBuilder
public enum InteractorBuilder<State: Sendable, Action: Sendable> {
  /// Resolves a part of a body, and infers the state and action types of its literals.
  @inlinable
  public static func buildExpression<I: Interactor>(
    _ interactor: I
  ) -> ResolvedInteractor<State, Action>
  where I.State == State, I.Action == Action {
    interactor.resolve()
  }

  /// A body with a single interactor is that interactor.
  @inlinable
  public static func buildPartialBlock(
    first: ResolvedInteractor<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    first
  }

  /// Later interactors receive each action after the earlier ones.
  @inlinable
  public static func buildPartialBlock(
    accumulated: ResolvedInteractor<State, Action>, next: ResolvedInteractor<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    .pair(accumulated, next)
  }

  /// A part of a body whose condition is evaluated when the body is resolved.
  ///
  /// If the condition is false, the body uses the initial value of the first other part.
  @inlinable
  public static func buildOptional(
    _ interactor: ResolvedInteractor<State, Action>?
  ) -> ResolvedInteractor<State, Action> {
    interactor ?? .inert
  }

  /// The first of two parts of a body.
  @inlinable
  public static func buildEither(
    first: ResolvedInteractor<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    first
  }

  /// The second of two parts of a body.
  @inlinable
  public static func buildEither(
    second: ResolvedInteractor<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    second
  }

  /// Combines the parts that a loop in a body makes.
  ///
  /// They receive each action in the order of the loop.
  @inlinable
  public static func buildArray(
    _ interactors: [ResolvedInteractor<State, Action>]
  ) -> ResolvedInteractor<State, Action> {
    guard let first = interactors.first else { return .inert }
    return interactors.dropFirst().reduce(first) { .pair($0, $1) }
  }
}

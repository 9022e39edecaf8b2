/// Receives every step of a view model, for logging, recording and inspecting.
///
/// Isolation: called on the main actor, after each step and before the next.
public struct StepObserver<State: Sendable, Action: Sendable> {
  @usableFromInline package let observe: (@MainActor (Step<State, Action>) -> Void)?
  /// Receives the beginning and the end of every effect.
  @usableFromInline package let observeEffect: (@MainActor (EffectEvent) -> Void)?
  /// Repeats the change of a step on another state.
  ///
  /// Returns true if the change returned no emission. It has then changed only the state.
  @usableFromInline package typealias StateChange = @MainActor (UnsafeMutablePointer<State>) -> Bool
  /// Receives every step with its change.
  @usableFromInline
  package let observeChange: (@MainActor (Step<State, Action>, @escaping StateChange) -> Void)?
  /// Receives every step with its change, and the state as a pointer, which costs no copy.
  @usableFromInline package let observeBriefly: (@MainActor (BriefStep<State, Action>) -> Void)?
  /// Receives the state before each step, with the action and the effect that sent it.
  ///
  /// The action is `nil` before an update.
  ///
  /// The pointer is valid during the call. A copy of a large state would need the stack at each step.
  @usableFromInline
  package let observeBeginning: (@MainActor (Action?, UnsafePointer<State>, EffectID?) -> Void)?

  /// Receives the events between the steps.
  @usableFromInline package let watch: RuntimeWatch?

  /// Makes an observer from a closure.
  public init(_ observe: @escaping @MainActor (Step<State, Action>) -> Void) {
    self.observe = observe
    self.observeEffect = nil
    self.observeChange = nil
    self.observeBriefly = nil
    self.observeBeginning = nil
    self.watch = nil
  }

  /// Makes an observer of the steps and of the effects between them.
  package init(
    _ observe: @escaping @MainActor (Step<State, Action>) -> Void,
    effects: @escaping @MainActor (EffectEvent) -> Void,
    changes: (@MainActor (Step<State, Action>, @escaping StateChange) -> Void)? = nil
  ) {
    self.observe = observe
    self.observeEffect = effects
    self.observeChange = changes
    self.observeBriefly = nil
    self.observeBeginning = nil
    self.watch = nil
  }

  /// Makes an observer for which no state is copied.
  package init(
    steps: @escaping @MainActor (BriefStep<State, Action>) -> Void,
    effects: @escaping @MainActor (EffectEvent) -> Void,
    beginnings: @escaping @MainActor (Action?, UnsafePointer<State>, EffectID?) -> Void,
    watch: RuntimeWatch
  ) {
    self.observe = nil
    self.observeEffect = effects
    self.observeChange = nil
    self.observeBriefly = steps
    self.observeBeginning = beginnings
    self.watch = watch
  }
}

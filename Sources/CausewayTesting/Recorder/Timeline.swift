/// What happened in a feature: its steps with their states, and the lives of its effects.
///
/// It can be replayed, and any encoder can write it where states and actions are `Codable`.
public struct Timeline<State: Sendable, Action: Sendable>: Sendable {
  /// What changed the state in a step.
  public enum Cause: Sendable {
    /// An action; from an effect, or from outside or a handler if `effect` is `nil`.
    case action(Action, effect: String?)
    /// An update that an effect sent.
    case update(effect: String)
    /// An error that an effect threw, turned into state by its `catch:`.
    case failure(effect: String)
  }

  /// One step.
  public struct Entry: Sendable {
    /// The number of the step, from 1 on.
    public let number: Int
    /// What changed the state.
    public let cause: Cause
    /// The step of the action from outside that started all this.
    public let origin: Int
    /// The state after the step.
    public let state: State
  }

  /// The life of one effect.
  public struct EffectLife: Codable, Sendable, Equatable {
    /// Counts the effects of the model, from 1 on.
    public let number: Int
    /// The effect's id.
    public let id: String
    /// Where in the source it was asked for.
    public let place: String
    /// How many steps there were when it was asked for; the step that did so is the last of them,
    /// or the next one for an effect of the action that is being handled.
    public let begin: Int
    /// How many steps there were when it ended; `nil` while it has not.
    public var end: Int?
    /// Whether it was cancelled.
    public var isCancelled: Bool
  }

  /// The state before the first step; `nil` without a step.
  public var initialState: State?
  /// The steps, in order.
  public var entries: [Entry]
  /// The effects, in the order in which they were asked for.
  public var effects: [EffectLife]
}

extension Timeline: Codable where State: Codable, Action: Codable {}
extension Timeline.Cause: Codable where State: Codable, Action: Codable {}
extension Timeline.Entry: Codable where State: Codable, Action: Codable {}

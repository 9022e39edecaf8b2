/// A record of a feature: its steps with their states, and the lives of its effects.
///
/// It can be replayed, and any encoder can write it where states and actions are `Codable`.
public struct Timeline<State: Sendable, Action: Sendable>: Sendable {
  /// The cause of a step.
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
    /// The step of the action from outside that led to this step.
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
    /// Where in the source it was requested.
    public let place: String
    /// The number of steps when it was requested.
    ///
    /// The step that requested it is the last of them, or
    /// the next one if its action was still being handled.
    public let begin: Int
    /// The number of steps when it ended; `nil` while it has not.
    public var end: Int?
    /// Whether it was cancelled.
    public var isCancelled: Bool
  }

  /// The state before the first step; `nil` without a step.
  public var initialState: State?
  /// The steps, in order.
  public var entries: [Entry]
  /// The effects, in the order of their requests.
  public var effects: [EffectLife]
}

extension Timeline: Codable where State: Codable, Action: Codable {}
extension Timeline.Cause: Codable where State: Codable, Action: Codable {}
extension Timeline.Entry: Codable where State: Codable, Action: Codable {}

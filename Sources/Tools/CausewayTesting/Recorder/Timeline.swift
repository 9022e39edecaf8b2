import Causeway

/// A record of a feature: its steps with their states, and its effects.
///
/// It can be replayed. If states and actions are `Codable`, any encoder can write it.
public struct Timeline<State: Sendable, Action: Sendable>: Sendable {
  /// The cause of a step.
  public enum Cause: Sendable {
    /// An action that an effect sent; if `effect` is `nil`, it came from outside or from a handler.
    case action(Action, effect: String?)
    /// An update that an effect sent.
    case update(effect: String)
    /// An error that an effect threw and that its `catch:` turned into a state change.
    case failure(effect: String)
  }

  /// One step.
  public struct Entry: Sendable {
    /// The number of the step, from 1 on.
    public let number: Int
    /// The cause of the step.
    public let cause: Cause
    /// The number of the step of the action from outside that led to this step.
    public let origin: Int
    /// The state after the step.
    public let state: State
  }

  /// The start and end of one effect.
  public struct EffectLife: Codable, Sendable, Equatable {
    /// The number of the effect in its model, from 1 on.
    public let number: Int
    /// The effect's id.
    public let id: String
    /// The source location that requested the effect.
    public let place: String
    /// The number of steps when it was requested.
    ///
    /// The last of these steps requested the effect. If that step's action was still being handled,
    /// the next step requested it.
    public let begin: Int
    /// The number of steps when it ended; `nil` before its end.
    public var end: Int?
    /// Whether it was cancelled.
    public var isCancelled: Bool
  }

  private enum CodingKeys: CodingKey {
    case initialState, entries, effects
  }

  /// The state before the first step; `nil` without steps.
  public var initialState: State?
  /// The steps, in order.
  public var entries: [Entry]
  /// The effects, in the order of their requests.
  public var effects: [EffectLife]
}

extension Timeline: Encodable where State: Encodable, Action: Encodable {}

extension Timeline: Decodable where State: Decodable, Action: Decodable {
  /// Decodes the steps with the states that were recorded.
  ///
  /// A `Loadable` that was loading still is, because the next steps end the loading.
  public init(from decoder: any Decoder) throws {
    (initialState, entries, effects) = try DecodedRecord.$isDecoded.withValue(true) {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      return (
        try container.decodeIfPresent(State.self, forKey: .initialState),
        try container.decode([Entry].self, forKey: .entries),
        try container.decode([EffectLife].self, forKey: .effects)
      )
    }
  }
}

extension Timeline.Cause: Encodable where State: Encodable, Action: Encodable {}
extension Timeline.Cause: Decodable where State: Decodable, Action: Decodable {}
extension Timeline.Entry: Encodable where State: Encodable, Action: Encodable {}
extension Timeline.Entry: Decodable where State: Decodable, Action: Decodable {}

public import Causeway

/// An effect that has not ended, and the reason why it waits.
public struct EffectActivity: Sendable, CustomStringConvertible {
  enum Wait {
    /// The end of an earlier effect, or of a throttling window.
    case turn
    /// A deadline on the test clock.
    case time(TestClock.Instant)
    /// Something outside of the kit's control.
    case outside
    /// Nothing; the effect could continue at once.
    case nothing
  }

  /// The effect's id.
  public let id: EffectID
  let label: String
  let place: String
  let wait: Wait
  /// Whether the effect is an observation, or an observation has started it.
  let isObservation: Bool

  /// Whether the effect waits for something that the test does not give.
  var isStuck: Bool {
    if case .outside = wait { !isObservation } else { false }
  }

  var isAsleep: Bool {
    if case .time = wait { true } else { false }
  }

  /// The effect's name, the reason why it waits and the source location of its request.
  public var description: String {
    let doing =
      switch wait {
      case .turn: "waits for its turn"
      case .time(let deadline): "sleeps on the test clock until \(deadline.offset)"
      case .outside:
        "is suspended outside the test's control: it waits for input, or for a clock, socket, "
          + "actor or task that the test does not run"
      case .nothing: "can continue at once"
      }
    return "effect \(label) \(doing) (requested at \(place))"
  }
}

public import Causeway

/// An effect that has not ended, and what it waits for.
public struct EffectActivity: Sendable, CustomStringConvertible {
  enum Wait {
    /// The end of an effect before it, or of a throttling window.
    case turn
    /// A deadline on the test clock.
    case time(TestClock.Instant)
    /// Something that the kit does not know.
    case outside
  }

  /// The effect's id.
  public let id: EffectID
  let label: String
  let place: String
  let wait: Wait

  var isAsleep: Bool {
    if case .time = wait { true } else { false }
  }

  /// Names the effect, what it waits for and where it was asked for.
  public var description: String {
    let doing =
      switch wait {
      case .turn: "waits for its turn"
      case .time(let deadline): "sleeps on the test clock until \(deadline.offset)"
      case .outside:
        "is suspended outside the test's control: it waits for input, or for a clock, socket, "
          + "actor or task that the test does not run"
      }
    return "effect \(label) \(doing) (asked for at \(place))"
  }
}

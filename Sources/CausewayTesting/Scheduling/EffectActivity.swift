/// What an effect that has not ended waits for.
struct EffectActivity: CustomStringConvertible {
  enum Wait {
    /// The end of an effect before it, or of a throttling window.
    case turn
    /// A deadline on the test clock.
    case time(TestClock.Instant)
    /// Something that the kit does not know.
    case outside
  }

  let label: String
  let place: String
  let wait: Wait

  var description: String {
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

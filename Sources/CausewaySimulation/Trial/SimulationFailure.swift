/// The failure of a simulated world, with the smallest trial that was found.
public struct SimulationFailure: Error, CustomStringConvertible {
  /// The trial, which ``simulate(replaying:for:settling:search:_:check:always:)`` repeats.
  public let replay: SimulationCase
  /// The seed that failed first.
  public let seed: UInt64
  /// The reason of the failure.
  public let reason: String
  /// The last steps of each node.
  public let timeline: String
  /// Whether a repetition of the trial took other steps.
  public let isDeterministic: Bool

  /// The reason, the call that repeats the trial, and the timeline.
  public var description: String {
    let hint =
      isDeterministic
      ? ""
      : """
      A repetition took other steps: something depends on the real time, on a random number of \
      the system, on the order of a Set or a Dictionary, or on an address.

      """
    return """
      Seed \(seed) fails: \(reason).
      Repeat it with simulate(replaying: "\(replay)", …).
      \(hint)\(timeline)
      """
  }
}

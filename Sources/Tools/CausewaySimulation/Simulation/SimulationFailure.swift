import CausewayExploration

/// The failure of a simulated world, with the smallest trial that was found.
public struct SimulationFailure: Error, CustomStringConvertible {
  /// The text of the trial, which ``simulate(replaying:for:settling:_:check:always:)`` repeats.
  public var replay: String { "\(identity)" }
  /// The trial.
  let identity: SimulationCase
  /// The seed that failed first.
  public let seed: UInt64
  /// The reason of the failure.
  public let reason: String
  /// The last steps of each node.
  public let timeline: String
  /// Whether a repetition of the trial took the same steps with the same data.
  public let isDeterministic: Bool
  /// Describes the first step that differed in the repetition; `nil` if no step did.
  public let difference: String?
  /// The functions of the system whose values were not simulated.
  private let realValues: [String]
  /// The number of threads that took the steps; 0 for the thread of the call.
  private let threads: Int

  init(
    identity: SimulationCase, seed: UInt64, reason: String, timeline: String, isDeterministic: Bool,
    difference: String? = nil, realValues: [String] = [], threads: Int = 0
  ) {
    self.identity = identity
    self.seed = seed
    self.reason = reason
    self.timeline = timeline
    self.isDeterministic = isDeterministic
    self.difference = difference
    self.realValues = realValues
    self.threads = threads
  }

  /// The reason, the call that repeats the trial, and the timeline.
  public var description: String {
    if threads > 0 {
      return """
        Seed \(seed) fails on \(threads) threads: \(reason).
        It cannot be repeated, because the threads take the steps in another order each time.
        \(timeline)
        """
    }
    let hint =
      isDeterministic
      ? ""
      : """
      A repetition took other steps, or had other data: something depends on the real time, on a \
      random number of the system, on an address, or on a value that an earlier trial has left. \
      \(difference ?? "") \(RealValues.text(of: realValues))

      """
    let hashing =
      HashOrder.isSameInAllProcesses
      ? ""
      : """
      Sets and dictionaries have other orders in each process. To repeat the trial in another \
      process, start both with the environment variable SWIFT_DETERMINISTIC_HASHING=1.

      """
    return """
      Seed \(seed) fails: \(reason).
      Repeat it with simulate(replaying: "\(replay)", …).
      \(hint)\(hashing)\(timeline)
      """
  }
}

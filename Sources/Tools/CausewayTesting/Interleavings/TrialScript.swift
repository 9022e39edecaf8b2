/// The actions that a test sends in each trial, and the waits between them.
///
/// ```swift
/// let script: TrialScript<Search.Action> = ["a", "ab"] + .wait(.milliseconds(300)) + ["abc"]
/// ```
public struct TrialScript<Action: Sendable>: Sendable, ExpressibleByArrayLiteral {
  enum Step: Sendable {
    case send(Action)
    case wait(Duration)
  }

  var steps: [Step]

  init(steps: [Step]) {
    self.steps = steps
  }

  /// Makes a script that sends some actions.
  public init(_ actions: some Sequence<Action>) {
    steps = actions.map { .send($0) }
  }

  /// Makes a script that sends the given actions.
  public init(arrayLiteral actions: Action...) {
    self.init(actions)
  }

  /// Advances the clock of the trial.
  ///
  /// On return, everything that can run before that time has run, as after
  /// ``TestClock/advance(by:)``.
  ///
  /// - Parameter duration: Not negative.
  public static func wait(_ duration: Duration) -> TrialScript {
    TrialScript(steps: [.wait(duration)])
  }

  /// Returns a script that runs the first script and then the second.
  ///
  /// Complexity: O(*n*) in the number of their steps.
  public static func + (first: TrialScript, second: TrialScript) -> TrialScript {
    TrialScript(steps: first.steps + second.steps)
  }
}

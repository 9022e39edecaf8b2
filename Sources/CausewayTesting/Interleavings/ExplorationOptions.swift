public import Causeway

/// How an exploration looks for an order that fails, and where it reports one.
///
/// ```swift
/// await exploreInterleavings(of: Cart(), script: [.add, .add], options: .seed(17)) { … }
/// ```
public struct ExplorationOptions: Sendable {
  /// The seed of the only trial, to repeat it; `nil` for the seeds from 0 on.
  public var seed: UInt64?
  /// Whether to try every order that exists instead of a sample.
  ///
  /// Only for small cases: the number of orders grows exponentially. `trials` limits them.
  public var everyOrder: Bool
  /// Where the failure goes.
  public var reporter: FailureReporter
  /// Receives errors that no effect catches, and misuse found at run time, also in the repetitions
  /// that make a failing trial shorter.
  ///
  /// Without it, the first of them fails its trial. An action for a child that is absent does not.
  public var onError: (@MainActor (RuntimeError) -> Void)?

  /// Makes options; see the properties.
  public init(
    seed: UInt64? = nil,
    everyOrder: Bool = false,
    reporter: FailureReporter = .automatic,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.seed = seed
    self.everyOrder = everyOrder
    self.reporter = reporter
    self.onError = onError
  }

  /// Repeats the trial with a seed.
  public static func seed(_ seed: UInt64) -> ExplorationOptions {
    ExplorationOptions(seed: seed)
  }

  /// Tries every order that exists instead of a sample.
  public static let everyOrder = ExplorationOptions(everyOrder: true)
}

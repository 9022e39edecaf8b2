public import Causeway

/// How an exploration looks for an order that fails, and where it reports one.
///
/// ```swift
/// await exploreInterleavings(of: Cart(), script: [.add, .add], options: .seed(17)) { … }
/// ```
public struct ExplorationOptions: Sendable {
  /// Which orders are tried.
  public enum Search: Sendable {
    /// Seeds of both kinds, by turns: the even ones uniform, the odd ones with priorities.
    case mixed
    /// Each step is equally likely, wherever there is a choice.
    ///
    /// Reaches everything in time, and fine-grained overlaps soon.
    case uniform
    /// Effects and the test have priorities; the highest that can go on does.
    ///
    /// Finds what needs a few steps in a certain order, such as effects that have to run backwards,
    /// however many other steps there are. A seed finds what needs *d* ordered steps, up to three,
    /// with a probability of at least 1 / (24 · *n* · (4*k*)^(*d* − 1)), for *n* effects with the
    /// test and *k* steps up to 1,024. The guarantee is that of S. Burckhardt, P. Kothari,
    /// M. Musuvathi and S. Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of
    /// Finding Bugs", ASPLOS 2010; the factors come from *d* and *k*, which a seed has to guess.
    case priorities
    /// Every order that exists, at most as many as there are trials.
    ///
    /// Only for small cases: the number of orders grows exponentially.
    case everyOrder
  }

  /// What the clock of a trial does.
  public enum Time: Sendable {
    /// It stands still until the test moves it.
    case standsStill
    /// It moves on by itself, from one sleeper to the next, until the given time after the trial's
    /// start. When a sleeper wakes is a part of the order.
    case passes(upTo: Duration)

    var limit: Duration? {
      if case .passes(let limit) = self { limit } else { nil }
    }
  }

  /// Which orders are tried.
  public var search: Search
  /// The seed of the only trial, to repeat it; `nil` for the seeds from 0 on.
  public var seed: UInt64?
  /// What the clock of a trial does.
  public var time: Time
  /// Whether a trial may pass in which no effect has ended, or in which effects sleep on a clock
  /// that was never moved.
  ///
  /// Such a trial explores nothing.
  public var allowsVacuousTrials: Bool
  /// Where the failure goes.
  public var reporter: FailureReporter
  /// Receives errors that no effect catches, and misuse found at run time, also in the repetitions
  /// that make a failing trial shorter.
  ///
  /// Without it, the first of them fails its trial. An action for a child that is absent does not.
  public var onError: (@MainActor (RuntimeError) -> Void)?

  /// Makes options; see the properties.
  ///
  /// By default, seeds of both kinds are tried, the clock stands still, and a trial that explores
  /// nothing fails.
  public init(
    search: Search = .mixed,
    seed: UInt64? = nil,
    time: Time = .standsStill,
    allowsVacuousTrials: Bool = false,
    reporter: FailureReporter = .automatic,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.search = search
    self.seed = seed
    self.time = time
    self.allowsVacuousTrials = allowsVacuousTrials
    self.reporter = reporter
    self.onError = onError
  }

  /// Repeats the trial with a seed.
  public static func seed(_ seed: UInt64) -> ExplorationOptions {
    ExplorationOptions(seed: seed)
  }

  /// Has the clock move on by itself, up to the given time after the start of a trial.
  public static func timePasses(upTo limit: Duration) -> ExplorationOptions {
    ExplorationOptions(time: .passes(upTo: limit))
  }

  /// Tries every order that exists instead of a sample.
  public static let everyOrder = ExplorationOptions(search: .everyOrder)
}

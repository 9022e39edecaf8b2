public import Causeway

/// How an exploration searches for a failing order, and where it reports the failure.
///
/// ```swift
/// await exploreInterleavings(of: Cart(), script: [.add, .add], options: .seed(17)) { … }
/// ```
public struct ExplorationOptions: Sendable {
  /// The orders to try.
  public enum Search: Sendable {
    /// Seeds of both kinds alternate: even seeds are uniform, odd seeds use priorities.
    case mixed
    /// Each step is equally likely at every choice.
    ///
    /// This search reaches every order at some time, and soon reaches orders with many short
    /// overlaps.
    case uniform
    /// Effects and the test have priorities. Of the effects that can continue and the test, the one
    /// with the highest priority runs.
    ///
    /// It finds bugs that need a few steps in a certain order, regardless of the number of other
    /// steps. An example is a set of effects that must run in reverse order.
    ///
    /// A seed finds a bug of *d* ordered steps, for *d* up to three, with a probability of at least
    /// 1 / (24 · *n* · (4*k*)^(*d* − 1)). Here *n* is the number of effects including the test, and
    /// *k* is the number of steps, up to 1,024. The guarantee is from S. Burckhardt, P. Kothari, M.
    /// Musuvathi and S. Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of
    /// Finding Bugs", ASPLOS 2010. The additional factors exist because a seed must guess *d* and
    /// *k*.
    case priorities
    /// Every possible order, but at most as many orders as trials.
    ///
    /// Use it only for small cases: the number of orders grows exponentially. Orders that differ
    /// only in independent steps are tried once; ``Sharing/state``, ``Sharing/fields`` and
    /// ``suspensionPoint(touching:)`` declare such steps. The method is from P. Abdulla, S. Aronis,
    /// B. Jonsson and K. Sagonas, "Optimal Dynamic Partial Order Reduction", POPL 2014, with source
    /// sets.
    case everyOrder
  }

  /// A promise about the things that effects share; ``Search/everyOrder`` uses it.
  public enum Sharing: Sendable {
    /// Effects may share anything.
    ///
    /// A step without a name depends on all other steps: it can change shared memory or call an
    /// idle actor, and the scheduler sees neither.
    case anything
    /// Effects share the feature's state, which they read and change through their `send`, and the
    /// objects that ``suspensionPoint(touching:)`` names. The actions of a script do too.
    ///
    /// Then the only order that counts is the order in which the sends of effects are handled. This
    /// order counts for updates of different fields too, because an update may have read any field.
    /// Doubles that remember nothing, for example those that return a constant, keep this promise.
    /// Doubles that count calls or store values break it, unless their steps name them.
    case state
    /// Effects share only the things that ``state`` allows. In addition, the values that updates
    /// and handlers read go only into the state, and into the effects that a handler requests.
    ///
    /// Then the order of two updates counts only if it changes the state. Updates of different
    /// fields are tried in one order, unless one of them reads the field of the other. The same
    /// holds for actions that request no effect. An effect that reads the state with
    /// `currentState`, and an action that requests effects, depend on all updates, because the
    /// values that they read are not visible.
    ///
    /// The updates and handlers are called again after each trial, on copies of the state. An
    /// update that stores a value outside of the state breaks the promise:
    /// `await send { next.value = $0.queue.popFirst() }`. Use ``state`` for such features.
    case fields
  }

  /// The behaviour of a trial's clock.
  public enum Time: Sendable {
    /// The clock stands still until the test advances it.
    case standsStill
    /// The clock advances automatically from sleeper to sleeper, up to the given time after the
    /// start.
    ///
    /// The moment in which a sleeper wakes is part of the order.
    case passes(upTo: Duration)

    var limit: Duration? {
      if case .passes(let limit) = self { limit } else { nil }
    }
  }

  /// The orders to try.
  public var search: Search
  /// The seed of a single trial, to repeat it; `nil` for all seeds from 0 on.
  public var seed: UInt64?
  /// The text of a single trial, to repeat it.
  ///
  /// If it is `nil`, the environment variable `CAUSEWAY_REPLAY` can have the text. If this variable
  /// has no text, the exploration is a search. A failure shows the text of its shortest trial. The
  /// script and the other options must be the same.
  public var replay: String?
  /// The promise about the things that effects share.
  public var sharing: Sharing
  /// The behaviour of a trial's clock.
  public var time: Time
  /// Whether a vacuous trial may pass.
  ///
  /// A trial is vacuous if no effect has ended in it, if effects sleep on a clock that was never
  /// advanced, or if effects wait for something that the test does not give. Observations may wait,
  /// and so may the effects that they have started.
  public var allowsVacuousTrials: Bool
  /// The number of steps in which a trial must end; positive.
  ///
  /// A step is a part of an effect between two suspensions, a turn of the main actor, or an advance
  /// of the clock. Effects that take more steps run forever, and the trial fails.
  public var stepLimit: Int
  /// Receives the failure.
  public var reporter: FailureReporter
  /// Receives errors that no effect catches, and misuse that is detected at run time.
  ///
  /// It also receives the errors of the repetitions that shorten a failing trial.
  ///
  /// If it is `nil`, the trial fails with the first of these errors. An action for a missing child,
  /// or an answer that the current dialog does not offer, does not fail the trial.
  public var onError: (@MainActor (RuntimeError) -> Void)?

  /// Makes options; see the properties.
  ///
  /// By default, seeds of both kinds are tried, the clock stands still, and a vacuous trial fails,
  /// as does a trial of more than 20,000 steps.
  public init(
    search: Search = .mixed,
    seed: UInt64? = nil,
    replay: String? = nil,
    sharing: Sharing = .anything,
    time: Time = .standsStill,
    allowsVacuousTrials: Bool = false,
    stepLimit: Int = 20_000,
    reporter: FailureReporter = .automatic,
    onError: (@MainActor (RuntimeError) -> Void)? = nil
  ) {
    self.search = search
    self.seed = seed
    self.replay = replay
    self.sharing = sharing
    self.time = time
    self.allowsVacuousTrials = allowsVacuousTrials
    precondition(stepLimit > 0, "A trial needs at least one step.")
    self.stepLimit = stepLimit
    self.reporter = reporter
    self.onError = onError
  }

  /// Repeats the trial of a seed.
  public static func seed(_ seed: UInt64) -> ExplorationOptions {
    ExplorationOptions(seed: seed)
  }

  /// Advances the clock automatically, up to the given time after the start of a trial.
  public static func timePasses(upTo limit: Duration) -> ExplorationOptions {
    ExplorationOptions(time: .passes(upTo: limit))
  }

  /// Tries every possible order instead of a sample.
  public static let everyOrder = ExplorationOptions(search: .everyOrder)

  /// Tries every order that can have another result if effects keep a promise about sharing.
  public static func everyOrder(sharing: Sharing) -> ExplorationOptions {
    ExplorationOptions(search: .everyOrder, sharing: sharing)
  }
}

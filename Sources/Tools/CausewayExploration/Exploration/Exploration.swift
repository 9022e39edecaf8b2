#if compiler(>=6.3)
  import CausewaySystem

  /// The trials of one call of `exploreInterleavings`.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  struct Exploration: Sendable {
    let settings: ExplorationSettings
    let log: AssertionLog
    let body: @Sendable () async throws -> Void

    init(
      _ settings: ExplorationSettings, log: AssertionLog = AssertionLog(),
      _ body: @escaping @Sendable () async throws -> Void
    ) {
      self.settings = settings
      self.log = log
      self.body = body
    }

    /// Explores, or repeats one order, and returns the result.
    func run(replaying order: TrialOrder? = nil) -> ExploredOrders {
      Scheduler.install()
      return log.collect { order.map(replay) ?? search() }
    }

    private func replay(_ order: TrialOrder) -> ExploredOrders {
      let result = attempt(order)
      return ExploredOrders(
        trials: 1, isComplete: false,
        failure: result.reason.map { failure($0, result, of: 1, isRepeatable: true) })
    }

    private func search() -> ExploredOrders {
      let clock = ContinuousClock()
      let start = clock.now
      var plan = SearchPlan()
      var trials = 0
      while trials < settings.trials {
        let used = max(
          (clock.now - start) / settings.limit, Double(trials) / Double(settings.trials))
        if used >= 1, trials > 0 { break }
        guard let next = plan.next(used: used) else {
          return ExploredOrders(trials: trials, isComplete: true, failure: nil)
        }
        trials += 1
        let result = attempt(next.order)
        if let reason = result.reason {
          return ExploredOrders(
            trials: trials, isComplete: false, failure: report(reason, result, trial: trials))
        }
        plan.add(result.choices, of: next)
      }
      return ExploredOrders(trials: trials, isComplete: false, failure: nil)
    }

    private func attempt(_ order: TrialOrder, table: StepTable? = nil) -> ExplorationTrial.Result {
      ExplorationTrial(order, settings, log, table: table).run(body)
    }

    /// Repeats and shortens a failure.
    private func report(
      _ reason: ExplorationReason, _ first: ExplorationTrial.Result, trial: Int
    ) -> ExplorationFailure {
      let again = attempt(first.order)
      guard again.trace == first.trace, let repeated = again.reason, repeated.isLike(reason) else {
        return failure(
          reason, first, of: trial, isRepeatable: false, difference: difference(of: first.order))
      }
      let shortest = shrink(first.order, like: reason)
      return failure(reason, shortest ?? first, of: trial, isRepeatable: true)
    }

    /// The largest number of trials that shorten a failure.
    private static let mostShrinks = 300

    /// Replaces choices by choices without a switch while the trial still fails; takes at most the
    /// time of a search.
    private func shrink(
      _ order: TrialOrder, like reason: ExplorationReason
    ) -> ExplorationTrial.Result? {
      var best: ExplorationTrial.Result?
      var shrinking = ChoiceShrinking(order.choices)
      let end = ContinuousClock.now + settings.limit
      for _ in 0..<Self.mostShrinks {
        guard ContinuousClock.now < end, let calmer = shrinking.next() else { break }
        let result = attempt(TrialOrder(choices: calmer))
        guard let other = result.reason, other.isLike(reason),
          result.order.deviations < TrialOrder(choices: shrinking.choices).deviations
        else { continue }
        best = result
        shrinking.keep(result.order.choices)
      }
      return best
    }

    /// Describes the first step that differs between two more runs of an order; `nil` if none does.
    private func difference(of order: TrialOrder) -> String? {
      let (table, again) = (StepTable(), StepTable())
      _ = attempt(order, table: table)
      _ = attempt(order, table: again)
      return table.firstDifference(from: again)
    }

    private func failure(
      _ reason: ExplorationReason, _ result: ExplorationTrial.Result, of trial: Int,
      isRepeatable: Bool, difference: String? = nil
    ) -> ExplorationFailure {
      let table = StepTable()
      let last = attempt(result.order, table: table)
      let switches = result.choices.count { $0.mark == .switched }
      return ExplorationFailure(
        reason: "\(last.reason ?? result.reason ?? reason)", replay: "\(result.order)",
        trial: trial, switches: switches, isRepeatable: isRepeatable, difference: difference,
        realValues: result.realValues, steps: table.text)
    }
  }
#endif

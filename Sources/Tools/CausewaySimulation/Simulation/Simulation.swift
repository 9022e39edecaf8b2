#if compiler(>=6.3)
  import CausewayExploration
  import CausewaySystem

  /// The trials of one call of `simulate`.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  struct Simulation<Parts: Sendable> {
    let duration: Duration
    let settling: Duration
    let search: SimulationSearch
    /// The maximum number of trials for shortening a failure.
    let shrinks: Int
    /// One in this many passing trials is repeated; 0 for none.
    let repeats: Int
    let build: @Sendable (World) throws -> Parts
    let check: @Sendable (World, Parts) async throws -> Void
    let always: (@Sendable (World, Parts) throws -> Void)?
    /// The assertions that have failed in the code of a trial.
    private let log = AssertionLog()

    init(
      duration: Duration, settling: Duration, search: SimulationSearch, shrinks: Int, repeats: Int,
      build: @escaping @Sendable (World) throws -> Parts,
      check: @escaping @Sendable (World, Parts) async throws -> Void,
      always: (@Sendable (World, Parts) throws -> Void)?
    ) {
      self.duration = duration
      self.settling = settling
      self.search = search
      self.shrinks = shrinks
      self.repeats = repeats
      self.build = build
      self.check = check
      self.always = always
    }

    func search(_ seeds: Range<UInt64>) throws -> SimulationSummary {
      try log.collect { Result { try tryEach(of: seeds) } }.get()
    }

    private func tryEach(of seeds: Range<UInt64>) throws -> SimulationSummary {
      var summary = SimulationSummary()
      var guide = search == .coverage ? CoverageGuide() : nil
      for seed in seeds {
        let new = SimulationCase(
          seed: seed, schedule: seed, priorities: priorities(for: summary.longestTrial))
        guide?.begin()
        let trial = run(guide?.variation(seed) ?? new)
        summary.add(trial)
        guide?.note(trial.identity, end: trial.end)
        if trial.failure != nil { throw failure(of: trial) }
        if threads == 0, repeats > 0, seed.isMultiple(of: UInt64(repeats)) {
          try checkRepetition(of: trial)
        }
      }
      return summary
    }

    /// Repeats a trial that has passed, and throws if it takes other steps or has other data.
    private func checkRepetition(of first: TrialResult) throws {
      let again = run(first.identity, isRecorded: true)
      guard again.failure != nil || again.trace != first.trace else { return }
      throw SimulationFailure(
        identity: first.identity, seed: first.identity.seed,
        reason: "it passed, but cannot be repeated" + (again.failure.map { ": then \($0)" } ?? ""),
        timeline: again.timeline?.text(last: 200) ?? "", isDeterministic: false,
        difference: first.firstDifference(from: again), realValues: first.realValues)
    }

    /// The first trial is uniform, and measures the length of the later ones.
    private func priorities(for length: Int) -> SimulationCase.Priorities? {
      guard case .priorities(let depth) = search, length > 0 else { return nil }
      return SimulationCase.Priorities(
        depth: min(max(1, depth), SimulationCase.deepest), length: length)
    }

    func replay(_ identity: SimulationCase) throws -> SimulationSummary {
      try log.collect { Result { try repeatOnce(identity) } }.get()
    }

    private func repeatOnce(_ identity: SimulationCase) throws -> SimulationSummary {
      let trial = run(identity, isRecorded: true)
      if let failure = trial.failure {
        throw SimulationFailure(
          identity: identity, seed: identity.seed, reason: "\(failure)",
          timeline: trial.timeline?.text(last: .max) ?? "", isDeterministic: true)
      }
      var summary = SimulationSummary()
      summary.add(trial)
      return summary
    }

    private func run(_ identity: SimulationCase, isRecorded: Bool = false) -> TrialResult {
      Scheduler.install()
      _ = SimulationClock.isSourceOfSystemValues
      let chooser: any ScheduleSearch =
        if let priorities = identity.priorities {
          PrioritySearch(
            seed: identity.schedule, depth: priorities.depth, length: priorities.length)
        } else {
          UniformSearch(identity)
        }
      let trial = Trial(
        identity, search: chooser, isRecorded: isRecorded || threads > 0, log: log)
      let world = World()
      trial.run(for: duration, settling: settling, threads: threads) {
        try build(world)
      } check: { [check] in
        try await check(world, $0)
      } always: {
        try always?(world, $0)
      }
      defer { trial.dismiss() }
      return TrialResult(of: trial)
    }

    /// The number of threads that take the steps; 0 for the calling thread.
    private var threads: Int { if case .threads(let count) = search { max(1, count) } else { 0 } }

    private func failure(of first: TrialResult) -> SimulationFailure {
      if threads > 0, let failure = first.failure {
        return SimulationFailure(
          identity: first.identity, seed: first.identity.seed,
          reason: "\(failure)", timeline: first.timeline?.text(last: 200) ?? "",
          isDeterministic: false, threads: threads)
      }
      let again = run(first.identity)
      let isSame = again.trace == first.trace
      let difference = isSame ? nil : first.firstDifference(from: again)
      let shortest = isSame ? shrink(first) : first.identity
      let last = run(shortest, isRecorded: true)
      return SimulationFailure(
        identity: shortest, seed: first.identity.seed,
        reason: "\(last.failure ?? again.failure ?? first.failure ?? .deadlock("the trial"))",
        timeline: last.timeline?.text(last: 200) ?? "", isDeterministic: isSame,
        difference: difference, realValues: first.realValues)
    }

    /// The number of orders in which shorter trials are tried.
    ///
    /// A shorter trial has other steps, so the order that failed may not apply to it.
    private var orders: UInt64 { 3 }

    /// Leaves out actions and faults as long as the trial still fails.
    ///
    /// Most parts can be left out in the first order, so the other orders are tried only for the
    /// remaining parts.
    private func shrink(_ first: TrialResult) -> SimulationCase {
      var best = first
      var left = shrinks
      for order in 0..<orders {
        var parts = PartShrinking(count: best.parts.count)
        while left > 0, let range = parts.next() {
          left -= 1
          guard let shorter = failure(like: best, without: best.parts[range], order) else {
            continue
          }
          best = shorter
          parts.keep(count: best.parts.count)
        }
      }
      return best.identity
    }

    /// Returns a shorter trial that fails for the same reason.
    private func failure(
      like failed: TrialResult, without parts: ArraySlice<SimulationCase.Part>, _ order: UInt64
    ) -> TrialResult? {
      var shorter = failed.identity
      shorter.removed.formUnion(parts)
      shorter.schedule &+= order
      let trial = run(shorter)
      guard let failure = failed.failure else { return nil }
      return trial.failure?.isLike(failure) == true ? trial : nil
    }
  }
#endif

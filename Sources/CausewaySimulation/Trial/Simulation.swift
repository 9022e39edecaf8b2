#if compiler(>=6.3)
  /// The trials of one call of `simulate`.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  struct Simulation<Parts: Sendable> {
    let duration: Duration
    let settling: Duration
    let search: SimulationSearch
    /// The maximum number of trials for shortening a failure.
    let shrinks: Int
    let build: @Sendable (World) throws -> Parts
    let check: @Sendable (World, Parts) async throws -> Void
    let always: (@Sendable (World, Parts) throws -> Void)?

    func search(_ seeds: Range<UInt64>) throws -> SimulationSummary {
      var summary = SimulationSummary()
      for seed in seeds {
        let trial = run(SimulationCase(seed: seed, schedule: seed), length: summary.longestTrial)
        summary.add(trial)
        if trial.failure != nil { throw failure(of: trial, length: summary.longestTrial) }
      }
      return summary
    }

    func replay(_ identity: SimulationCase) throws -> SimulationSummary {
      let trial = run(identity, isRecorded: true)
      if let failure = trial.failure {
        throw SimulationFailure(
          replay: identity, seed: identity.seed, reason: "\(failure)",
          timeline: trial.timeline?.text(last: .max) ?? "", isDeterministic: true)
      }
      var summary = SimulationSummary()
      summary.add(trial)
      return summary
    }

    private func run(
      _ identity: SimulationCase, length: Int = 1_000, isRecorded: Bool = false
    ) -> Trial {
      _ = SimulationExecutors.installed
      _ = SimulationClock.isSourceOfSystemValues
      let chooser: any ScheduleSearch =
        switch search {
        case .uniform: UniformSearch(seed: identity.schedule)
        case .priorities(let depth):
          PrioritySearch(seed: identity.schedule, depth: depth, length: length)
        }
      let trial = Trial(identity, search: chooser, isRecorded: isRecorded)
      trial.run(for: duration, settling: settling, build: build, check: check, always: always)
      return trial
    }

    private func failure(of first: Trial, length: Int) -> SimulationFailure {
      let again = run(first.identity, length: length)
      let isSame = again.scheduler.trace == first.scheduler.trace
      let difference = isSame ? nil : first.firstDifference(from: again)
      let shortest = isSame ? shrink(first, length) : first.identity
      let last = run(shortest, length: length, isRecorded: true)
      return SimulationFailure(
        replay: shortest, seed: first.identity.seed,
        reason: "\(last.failure ?? again.failure ?? first.failure ?? .deadlock("the trial"))",
        timeline: last.timeline?.text(last: 200) ?? "", isDeterministic: isSame,
        difference: difference)
    }

    /// The number of orders in which a shorter trial is tried.
    ///
    /// A shorter trial has other steps, so the order that failed does not apply to it.
    private var ordersEach: UInt64 { 3 }

    /// Leaves out actions and faults as long as the trial still fails.
    ///
    /// This is delta debugging, from A. Zeller and R. Hildebrandt, "Simplifying and Isolating
    /// Failure-Inducing Input", IEEE TSE 2002.
    private func shrink(_ first: Trial, _ length: Int) -> SimulationCase {
      var best = first
      var left = shrinks
      var size = max(1, best.parts.count / 2)
      while true {
        var removedSome = false
        var start = 0
        while start < best.parts.count, left > 0 {
          let chunk = best.parts[start..<min(start + size, best.parts.count)]
          if let shorter = fails(without: chunk, best.identity, length, &left) {
            best = shorter
            removedSome = true
          } else {
            start += size
          }
        }
        if left <= 0 || (size == 1 && !removedSome) { return best.identity }
        if !removedSome { size = max(1, size / 2) }
      }
    }

    private func fails(
      without parts: ArraySlice<SimulationCase.Part>, _ identity: SimulationCase, _ length: Int,
      _ left: inout Int
    ) -> Trial? {
      for order in 0..<ordersEach where left > 0 {
        left -= 1
        var shorter = identity
        shorter.removed.formUnion(parts)
        shorter.schedule = identity.schedule &+ order
        let trial = run(shorter, length: length)
        if trial.failure != nil { return trial }
      }
      return nil
    }
  }
#endif

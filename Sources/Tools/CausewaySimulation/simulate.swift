#if compiler(>=6.3)
  /// Runs a world of nodes under many seeds, and throws for the first seed that fails.
  ///
  /// The world runs on the calling thread, one step at a time: its tasks, actors, main actor and
  /// timers, and the messages between nodes with their faults. The seed decides the order of the
  /// steps. The time is virtual. Other tests of the process can run at the same time.
  ///
  /// ```swift
  /// try simulate(seeds: 0..<1_000, for: .seconds(600)) { world in
  ///   let server = world.node("server") { node in … }
  ///   let phones = (1...3).map { number in
  ///     world.node("phone \(number)") { node in … }
  ///   }
  ///   world.faults = [.loss(0.1), .crashes(of: phones.map(\.id), every: .seconds(60), down: …)]
  ///   world.script(on: phones, actions: 20) { phone, random in … }
  ///   return (server, phones)
  /// } check: { world, nodes in
  ///   …
  /// }
  /// ```
  ///
  /// A trial has three parts. First, the scripts and faults run for `duration`. Then they end: the
  /// scripts begin no further action, and the nodes that are down start. The nodes have the time
  /// `settling` to agree. Finally, `check` runs.
  ///
  /// One in `repeats` seeds that pass runs twice. If the second run takes other steps, or sends or
  /// writes other bytes, the seed fails: the code depends on more than the seed.
  ///
  /// A trial also fails if an action throws an error that its script does not expect, and if an assertion
  /// of Swift Testing or, on Linux, of XCTest fails in the code of the trial. The assertion does not fail the
  /// test itself.
  ///
  /// When a seed fails, the function repeats the seed and checks that the repetition takes the same
  /// steps. It then removes actions and faults as long as the trial still fails. It throws the
  /// shortened trial with its timeline.
  ///
  /// - Parameters:
  ///   - seeds: The seeds.
  ///   - duration: The virtual time for which the scripts and faults run.
  ///   - settling: The virtual time between the last fault and the check.
  ///   - search: The way in which the next step is chosen.
  ///   - shrinks: The maximum number of trials that shorten a failure.
  ///   - repeats: Each seed that is a multiple of this number runs twice; 0 for none.
  ///   - build: Makes the nodes, faults and scripts of a trial, and returns the values that the
  ///     checks need. It runs once for each trial.
  ///   - check: Checks the world at the end. It runs as a task of the simulation.
  ///   - always: Checks the world after each step. It must not wait.
  /// - Returns: The number of trials, steps and crashes.
  /// - Throws: ``SimulationFailure``.
  /// - Isolation: Blocks the calling thread.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  @discardableResult
  public func simulate<Parts: Sendable>(
    seeds: Range<UInt64>, for duration: Duration, settling: Duration = .seconds(600),
    search: SimulationSearch = .uniform, shrinks: Int = 150, repeats: Int = 20,
    _ build: @escaping @Sendable (World) throws -> Parts,
    check: @escaping @Sendable (World, Parts) async throws -> Void = { _, _ in },
    always: (@Sendable (World, Parts) throws -> Void)? = nil
  ) throws -> SimulationSummary {
    let simulation = Simulation(
      duration: duration, settling: settling, search: search, shrinks: shrinks,
      repeats: repeats, build: build, check: check, always: always)
    return try simulation.search(seeds)
  }

  /// Repeats a trial that failed.
  ///
  /// - Parameters:
  ///   - replay: The text that the failure shows.
  ///   - duration: See ``simulate(seeds:for:settling:search:shrinks:repeats:_:check:always:)``.
  ///   - settling: See there.
  ///   - build: See there.
  ///   - check: See there.
  ///   - always: See there.
  /// - Returns: The number of steps and crashes.
  /// - Throws: ``SimulationFailure``, if the trial fails again. Its timeline is complete.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  @discardableResult
  public func simulate<Parts: Sendable>(
    replaying replay: String, for duration: Duration, settling: Duration = .seconds(600),
    _ build: @escaping @Sendable (World) throws -> Parts,
    check: @escaping @Sendable (World, Parts) async throws -> Void = { _, _ in },
    always: (@Sendable (World, Parts) throws -> Void)? = nil
  ) throws -> SimulationSummary {
    guard let identity = SimulationCase(replay) else {
      preconditionFailure("\"\(replay)\" is not the text of a trial, such as \"17/0/a1.3\"")
    }
    let simulation = Simulation(
      duration: duration, settling: settling, search: .uniform, shrinks: 0, repeats: 0,
      build: build, check: check, always: always)
    return try simulation.replay(identity)
  }
#endif

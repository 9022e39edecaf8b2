/// The steps that run while another one is in the middle.
extension Scheduler {
  /// The possible steps of tasks.
  ///
  /// - Parameter hasMain: Whether a job of the main actor runs, or comes first.
  func possibleSteps(hasMain: Bool = false) -> [Int] {
    var hasMain = hasMain
    // The main actor runs its jobs in their order.
    return ready.indices.filter { index in
      guard case .mainJob = ready[index].work else { return true }
      defer { hasMain = true }
      return !hasMain
    }
  }

  /// Lets other tasks go on within the current step, after its task has made another one.
  ///
  /// On a real machine, another thread can run the new task at once. They go on below the current step on
  /// the stack, so they must not need a lock that it holds.
  func interrupt() {
    guard let thread = SchedulerThread.current, let maker = thread.turn, isStepping, !ready.isEmpty,
      !HeldLocks.mayBeHeld
    else { return }
    let life = thread.life
    while stepsInARow <= longestSpin {
      let possible = possibleSteps(hasMain: isMainStep)
      if possible.isEmpty { break }
      choiceCount += 1
      let turns = [maker] + possible.map { ready[$0].turn }
      let choice = search.choose(from: turns, at: now)
      if choice == 0 { break }
      // A step within this one is not interrupted.
      isStepping = false
      begin(possible[choice - 1])
      let next = take(possible[choice - 1])
      thread.begin(next)
      perform(next.work)
    }
    if isStepping { return }
    isStepping = true
    thread.goOn(maker, life)
    search.note(maker)
    SimulatedSystem.noteWork(true)
  }

  /// Notes that a step begins.
  func begin(_ index: Int) {
    let turn = ready[index].turn
    search.note(turn)
    onStep?(turn, unfinished[turn.task])
  }
}

import CausewayExploration

/// The actions that one node performs.
struct Script {
  let node: NodeID
  let count: Int
  let pause: ClosedRange<Duration>
  /// Whether an error of an action does not fail the trial.
  let expectsErrors: Bool
  /// Returns whether the node was up.
  let perform: @Sendable (SimulationRandom) async throws -> Bool
}

extension Script {
  /// The number of moments within the longest pause at which actions of several scripts can meet.
  private static let moments = 4
  /// Half of the actions that meet begin late, by at most this time, in which a few statements run.
  private static let longestDelay: Int64 = 1_000

  /// Returns a pause after which the action begins, maybe together with actions of other scripts.
  ///
  /// Half of the actions begin at moments that all scripts share, or shortly after them. The other
  /// actions are never concurrent on a fast node: time passes only when nothing can run, so each of
  /// these actions ends before the next action begins. Two actions that begin at the same moment
  /// take turns with each statement. Only an action that begins shortly after the shared moment can
  /// begin in the middle of another action.
  fileprivate func meeting(
    _ drawn: Duration, at now: Duration, seed: UInt64, _ index: Int, _ number: Int
  ) -> Duration {
    let step = (pause.upperBound - pause.lowerBound).microseconds / Int64(Self.moments)
    var random = SimulationRandom(seed: seed, purpose: 9, UInt64(index), UInt64(number))
    guard step > 0, random.happens(0.5) else { return drawn }
    let before = (now + drawn).microseconds / step * step
    for moment in [before, before + step] {
      let shared = .microseconds(moment) - now
      // An action of the same script may have begun at the last moment.
      guard pause.contains(shared), shared.microseconds > Self.longestDelay else { continue }
      let delay = random.happens(0.5) ? 0 : Int64.random(in: 0...Self.longestDelay, using: &random)
      return min(shared + .microseconds(delay), pause.upperBound)
    }
    return drawn
  }
}

/// The scripts of a trial, and their actions.
///
/// Isolation: only the thread of the trial's scheduler may use it.
final class TrialScripts {
  private unowned let trial: Trial
  private var scripts: [Script] = []
  /// The number of scripts with actions that have not begun.
  private(set) var running = 0
  private(set) var open = OpenActions()

  init(_ trial: Trial) {
    self.trial = trial
  }

  func add(_ script: Script) { scripts.append(script) }

  /// Begins all scripts.
  func begin() {
    for index in scripts.indices { begin(index) }
  }

  /// Stops waiting for the scripts, which begin no more actions.
  func end() { running = 0 }

  /// Forgets the actions of a node that has crashed.
  func endActions(on node: NodeID) { open.endAll(on: node) }

  /// Releases the scripts at the end of a trial.
  func drop() {
    open = OpenActions()
    scripts = []
  }

  private func begin(_ index: Int) {
    let script = scripts[index]
    running += 1
    trial.parts += (0..<script.count).map { .action(script: index, number: $0) }
      .filter { !trial.identity.removed.contains($0) }
    // The pauses belong to the world, the actions to the node.
    _ = Task { @concurrent in
      for number in 0..<script.count {
        let trial = Trial.ofThread
        var random = SimulationRandom(
          seed: trial.identity.seed(at: trial.scheduler.now), purpose: 3, UInt64(index),
          UInt64(number))
        let pause = random.duration(in: script.pause)
        let seed = trial.identity.seed(at: trial.scheduler.now)
        try await SimulationClock().sleep(
          for: script.meeting(pause, at: trial.scheduler.now, seed: seed, index, number))
        // An action shortly before the check would leave the nodes no time to agree.
        if trial.isSettling { return }
        if trial.identity.removed.contains(.action(script: index, number: number)) { continue }
        Trial.use { $0.scripts.perform(script, index, number, random) }
      }
      Trial.use { $0.scripts.running -= 1 }
    }
  }

  private func perform(
    _ script: Script, _ index: Int, _ number: Int, _ random: SimulationRandom
  ) {
    let id = script.node
    guard trial.nodes[id.index].root != nil else {
      trial.counts.skippedActions += 1
      return trial.log("action \(number) left out", id)
    }
    trial.counts.actions += 1
    trial.log("action \(number)", id)
    open.begin(index, number, on: id, at: trial.scheduler.now)
    trial.scheduler.perform(as: trial.nodes[id.index].life) {
      let task = Task { @concurrent in
        Trial.use { $0.scripts.open.setTurn($0.scheduler.currentTurn, of: index, number) }
        do {
          _ = try await script.perform(random)
        } catch {
          // The app's text is made without the trial's lock.
          let text = "\(error)"
          let isRequirement = error is BrokenRequirement
          Trial.use { trial in
            trial.counts.failedActions += 1
            trial.log("action \(number) failed: \(text)", id)
            if isRequirement {
              trial.fail(.requirement(text))
            } else if !script.expectsErrors {
              trial.fail(.action(number, trial.nodes[id.index].name, error: text))
            }
          }
        }
        Trial.use { trial in
          trial.scripts.open.end(index, number)
          trial.scheduler.markProgress()
        }
      }
      open.setTask(task, of: index, number)
    }
  }
}

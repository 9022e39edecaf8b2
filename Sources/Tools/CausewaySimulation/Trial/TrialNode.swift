import CausewayExploration
import CausewayNetwork

/// The state of a node in a trial.
///
/// Isolation: only the thread of the trial's scheduler may use it.
final class TrialNode {
  /// Runs the program of a node, and returns its root.
  typealias Start = @Sendable (NodeID) async throws -> any Sendable

  let name: String
  var start: Start
  var life: Scheduler.Life
  var isUp = false
  var root: (any Sendable)?
  /// The values that survive a crash.
  var stored: [String: any Sendable] = [:]
  var handler: (@Sendable (NetworkRequest) async throws -> SimulatedAnswer)?
  /// The task that runs the body.
  var starting: Task<Void, Never>?
  var values: NodeValues
  /// The random numbers of the named fault points.
  var faultPoints: ForkedRandom
  let disk: SimulatedDisk

  init(name: String, life: Scheduler.Life, in trial: Trial, start: @escaping Start) {
    let number = UInt64(truncatingIfNeeded: life.node)
    self.name = name
    self.life = life
    self.start = start
    values = NodeValues(trial.identity, node: life.node)
    faultPoints = ForkedRandom(trial.identity, purpose: 41, number)
    disk = SimulatedDisk(
      node: NodeID(index: life.node),
      random: ForkedRandom(trial.identity, purpose: 5, number), owner: trial)
  }

  /// Whether the program has begun and its body has not returned.
  var isStarting: Bool { isUp && root == nil }

  /// Releases everything that belongs to the run of the program.
  func endRun() {
    isUp = false
    root = nil
    starting = nil
    handler = nil
  }
}

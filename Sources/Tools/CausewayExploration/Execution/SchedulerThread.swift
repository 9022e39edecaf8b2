import CausewaySystem

/// A thread that takes steps of a trial.
///
/// Isolation: only the thread itself may use it.
final class SchedulerThread {
  let scheduler: Scheduler
  /// The node whose job runs on the thread.
  var life = Scheduler.Life.world
  /// The turn of the current or the last step of the thread.
  private(set) var turn: ScheduleTurn?
  /// Decides where the thread pauses.
  private var random: SplitMix64
  /// The number of calls of `enter()` without `leave()`.
  private var depth = 0

  init(_ scheduler: Scheduler, seed: UInt64) {
    self.scheduler = scheduler
    random = SplitMix64(seed: seed)
  }

  private static let key = ThreadKey()

  /// The thread that calls this property; `nil` outside a simulation.
  static var current: SchedulerThread? {
    key.pointer.map { Unmanaged<SchedulerThread>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a closure as a step thread of the scheduler.
  func run<R>(_ body: () throws -> R) rethrows -> R {
    precondition(
      Self.current == nil,
      "A simulation or an exploration cannot run inside another one on the same thread")
    Self.key.pointer = Unmanaged.passUnretained(self).toOpaque()
    SimulatedSystem.begin(
      hopsAreSteps: scheduler.hopsAreSteps, waitsBeforeHops: scheduler.followsTasks)
    defer {
      SimulatedSystem.end()
      Self.key.pointer = nil
    }
    return try body()
  }

  /// Notes the step that the thread runs next.
  func begin(_ next: Scheduler.Ready) {
    life = next.life
    turn = next.turn
  }

  /// Returns a random number from 0 to a limit.
  func random(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// Pauses sometimes before the thread takes the lock of the trial.
  func enter() {
    if depth == 0 { pause() }
    depth += 1
  }

  func leave() { depth -= 1 }

  /// Lets other threads run at a random place, which makes short races longer.
  func pause() {
    switch random(below: 64) {
    case 0: usleep(UInt32(random(below: 100)))
    case 1..<8: sched_yield()
    default: break
    }
  }
}

import Foundation
import Synchronization

/// Notices on its own thread that a part of the program makes no progress, and ends the program.
///
/// It prints the steps of all parts and the stacks of all threads first.
final class Watchdog: Sendable {
  /// The time that a step may take.
  ///
  /// A page waits up to 10 s for the effects of an action, and a machine can be busy.
  static let limit = Duration.seconds(30)

  private let parts = Mutex<[Part]>([])
  private let processes = Mutex<[Int32]>([])
  private let isStopped = Mutex(false)
  private let world: String
  private let seed: UInt64
  private let start = ContinuousClock.now

  init(world: String, seed: UInt64) {
    self.world = world
    self.seed = seed
    Thread.detachNewThread { [self] in watch() }
  }

  /// Adds a part, which reports each of its steps.
  func part(_ name: String) -> Part {
    let part = Part(name)
    parts.withLock { $0.append(part) }
    return part
  }

  /// Sets the process whose stacks are printed, beside those of this process.
  func examine(_ process: Int32?) { processes.withLock { $0 = process.map { [$0] } ?? [] } }

  func stop() { isStopped.withLock { $0 = true } }

  /// Ends the program with a message that names the seed.
  func fail(_ problem: String) -> Never {
    print("stress: FAILED after \(start.duration(to: .now)) in \(world): \(problem)")
    print("stress: repeat with WORLD=\(world) SEED=\(seed)")
    fflush(nil)
    for process in processes.withLock({ $0 }) { kill(process, SIGKILL) }
    exit(1)
  }

  private func watch() {
    while !isStopped.withLock({ $0 }) {
      Thread.sleep(forTimeInterval: 0.5)
      let steps = parts.withLock { $0 }.compactMap { part in part.current.map { (part.name, $0) } }
      guard let stuck = steps.first(where: { $0.1.since.duration(to: .now) > Self.limit }) else {
        continue
      }
      for (name, step) in steps {
        print("stress: \(name): \(step.text) for \(step.since.duration(to: .now))")
      }
      fflush(nil)
      let all = processes.withLock { $0 } + [ProcessInfo.processInfo.processIdentifier]
      for process in all { print(Stacks.text(of: process)) }
      fail("\(stuck.0) is stuck: \(stuck.1.text)")
    }
  }
}

/// A part of the program, and the step that it takes now.
final class Part: Sendable {
  struct Step: Sendable {
    let text: String
    let since: ContinuousClock.Instant
  }

  let name: String
  private let step = Mutex<Step?>(nil)

  init(_ name: String) { self.name = name }

  var current: Step? { step.withLock { $0 } }

  /// Begins the next step, which must end within the limit.
  func begins(_ text: String) { step.withLock { $0 = Step(text: text, since: .now) } }

  /// Ends the last step.
  func ends() { step.withLock { $0 = nil } }
}

import CSimulatedSystem
import CausewaySystem
import Synchronization

/// Notices on its own thread that a step of a trial does not end, for example because it waits for a
/// lock or loops without suspending.
///
/// Nothing can end such a step, so the process ends with the name of the trial and the stack of the
/// step.
package final class StepWatch: Sendable {
  /// The real time after which a step counts as stuck.
  ///
  /// The watch counts how often it wakes, so it does not end a process that a debugger has stopped.
  static let limit = 60

  private let steps = Atomic(0)
  private let name: String
  /// The function that repeats a trial, for the message.
  private let call: String
  /// The threads that take the steps.
  #if canImport(Darwin)
    // As numbers, because a pointer is not sendable.
    private let threads = Mutex<[UInt]>([])
  #else
    private let threads = Mutex<[pthread_t]>([])
  #endif

  private init(_ name: String, call: String) {
    self.name = name
    self.call = call
  }

  /// The running trials, with the number of steps at the last look, and the number of looks since
  /// then.
  private static let watched = Mutex<[(watch: StepWatch, steps: Int, looks: Int)]>([])
  private static let isRunning: Void = {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(
      &thread, nil,
      { _ in
        while true {
          sleep(1)
          StepWatch.look(limit: StepWatch.limit)
        }
      }, nil)
    precondition(code == 0, "The system cannot begin a thread")
  }()

  /// Watches the current thread.
  static func begin(_ name: String, call: String) -> StepWatch {
    _ = isRunning
    let watch = StepWatch(name, call: call)
    watch.add()
    watched.withLock { $0.append((watch, 0, 0)) }
    return watch
  }

  /// Watches the current thread too.
  func add() {
    causeway_show_stack()
    #if canImport(Darwin)
      let thread = UInt(bitPattern: pthread_self())
    #else
      let thread = pthread_self()
    #endif
    threads.withLock { $0.append(thread) }
  }

  func end() {
    Self.watched.withLock { $0.removeAll { $0.watch === self } }
  }

  /// Notes a step.
  func note(_ step: Int) {
    steps.store(step, ordering: .relaxed)
  }

  /// Looks at all trials, and ends the process if one of them is stuck.
  package static func look(limit: Int) {
    let stuck = watched.withLock { watched -> StepWatch? in
      for index in watched.indices {
        let steps = watched[index].watch.steps.load(ordering: .relaxed)
        watched[index].looks = steps == watched[index].steps ? watched[index].looks + 1 : 0
        watched[index].steps = steps
      }
      return watched.first { $0.looks >= limit }?.watch
    }
    guard let stuck else { return }
    #if canImport(Darwin)
      let threads = stuck.threads.withLock { $0 }.compactMap { pthread_t(bitPattern: $0) }
    #else
      let threads = stuck.threads.withLock { $0 }
    #endif
    let stacks = threads.map { WaitingPlace.stack(of: $0).joined(separator: "\n") }
    let repetition =
      threads.count > 1
      ? "Several threads took the steps, so it cannot be repeated."
      : "Repeat it with \(stuck.call)(replaying: \"\(stuck.name)\", …)."
    let text = """
      A step of the trial "\(stuck.name)" has run for \(limit) seconds of real time: it waits for a \
      lock, a semaphore or another thread, or it loops without suspending. \(repetition) Its stack:
      \(stacks.joined(separator: "\n\nThe stack of the next thread:\n"))

      """
    StandardError.print(text)
    abort()
  }
}

private import Synchronization

/// The start of an effect in a task that a later effect can take over.
///
/// When an effect replaces another effect that sleeps or waits for a thread, the task of the
/// replaced effect runs the new effect, possibly after a later deadline. To cancel that task and
/// start a new task would cost several times as much.
final class EffectStart: Sendable {
  /// Runs the effect after the delay, or ends it with the error that the clock threw.
  typealias Continuation = @Sendable ((any Error)?) async -> Void

  private struct Contents {
    /// The duration of the last requested sleep; zero without a delay.
    var duration: Duration
    /// The next sleep; `nil` while the task sleeps until the last deadline, and without a delay.
    var sleep: Sleep?
    /// `nil` after the effect has begun.
    var run: Continuation?
  }

  private enum Next {
    case sleep(Sleep)
    case run(Continuation)
    case nothing
  }

  /// The priority of the task.
  private let priority = Task.currentPriority
  private let contents: Mutex<Contents>
  /// Changed at each use of the contents.
  ///
  /// On Linux, the kernel passes a contended `Mutex` to the next thread. ThreadSanitizer does not see
  /// this, so it would report each use of the new effect as a race, also in the code of an app.
  private let handovers = Atomic<Int>(0)

  /// Call this initializer where the task is made.
  init(_ duration: Duration, _ sleep: Sleep?, then run: @escaping Continuation) {
    contents = Mutex(Contents(duration: duration, sleep: sleep, run: run))
  }

  /// Moves the deadline, and passes the task to another effect.
  ///
  /// Returns false and does nothing if the first effect has begun, if the new deadline could be
  /// earlier than the current deadline, or if the caller has a higher priority than the task.
  func move(
    _ duration: Duration, _ sleep: Sleep?, then run: @escaping Continuation
  ) -> Bool {
    guard Task.currentPriority <= priority else { return false }
    // The old closures are released outside of the lock, because the release may run a
    // deinitializer.
    let old: Contents? = contents.withLock { contents in
      guard contents.run != nil, duration >= contents.duration else { return nil }
      let old = contents
      handovers.add(1, ordering: .acquiringAndReleasing)
      contents = Contents(duration: duration, sleep: sleep, run: run)
      return old
    }
    return old != nil
  }

  /// Sleeps until the deadline no longer moves, and runs the last effect.
  @concurrent
  func run() async {
    do {
      while true {
        switch next() {
        case .sleep(let sleep): try await sleep()
        case .run(let run): return await run(nil)
        case .nothing: return
        }
      }
    } catch {
      await takeRun()?(error)
    }
  }

  private func next() -> Next {
    contents.withLock { contents in
      handovers.add(1, ordering: .acquiringAndReleasing)
      if let sleep = contents.sleep.take() { return .sleep(sleep) }
      return contents.run.take().map { .run($0) } ?? .nothing
    }
  }

  private func takeRun() -> Continuation? {
    contents.withLock { contents in
      handovers.add(1, ordering: .acquiringAndReleasing)
      return contents.run.take()
    }
  }
}

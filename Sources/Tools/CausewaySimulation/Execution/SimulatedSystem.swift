import CSimulatedSystem
import Synchronization

/// The functions of the system, as code on the thread of a simulation calls them.
///
/// `Date()`, `ContinuousClock.now` and the random numbers of the standard library depend on the seed
/// there. This needs Linux and a program without a sanitizer. Elsewhere the values are real, and a
/// repetition of a trial notices the difference.
enum SimulatedSystem {
  /// Whether the values of the system are simulated.
  static let isComplete = causeway_can_simulate() != 0

  /// Replaces the functions on the current thread, which has a scheduler.
  static func begin() {
    causeway_simulate(
      { isWall in Scheduler.ofThread?.owner?.systemTime(isWall: isWall != 0) ?? 0 },
      { bytes, count in
        guard let bytes, let owner = Scheduler.ofThread?.owner else { return }
        owner.randomize(UnsafeMutableBufferPointer(start: bytes, count: count))
      },
      {
        guard let threads = Scheduler.ofThread?.threads else { return nil }
        threads.begin()
        return Unmanaged.passRetained(threads).toOpaque()
      },
      { value in
        guard let value else { return }
        Unmanaged<SimulatedThreads>.fromOpaque(value).takeRetainedValue().end()
      })
  }

  static func end() { causeway_simulate_nothing() }

  /// The threads of the simulation that has begun the current thread; `nil` for another thread.
  static var threadsOfCurrent: SimulatedThreads? {
    causeway_thread_value().map {
      Unmanaged<SimulatedThreads>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Returns a hash of bytes that continues another hash.
  static func hash(_ hash: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    causeway_hash(hash, bytes.baseAddress, bytes.count)
  }
}

/// The threads that the code of a simulation has begun.
final class SimulatedThreads: Sendable {
  /// The number of the simulation.
  let simulation: Int
  private let begun = Atomic(0)
  private let running = Atomic(0)

  init(simulation: Int) {
    self.simulation = simulation
  }

  var count: Int { begun.load(ordering: .relaxed) }
  var areRunning: Bool { running.load(ordering: .acquiring) > 0 }

  func begin() {
    running.add(1, ordering: .relaxed)
    begun.add(1, ordering: .relaxed)
  }

  func end() {
    running.subtract(1, ordering: .releasing)
  }
}

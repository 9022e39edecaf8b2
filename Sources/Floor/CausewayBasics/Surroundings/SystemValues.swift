package import Foundation
package import Synchronization

/// The dates and identifiers that code without its own clock takes from the system.
///
/// All tasks of a simulation take them from the simulation, so a seed decides them.
package enum SystemValues {
  /// Returns the simulation that runs on the current thread; `nil` outside a simulation.
  ///
  /// The simulation library sets this closure. A task-local value would not reach detached tasks.
  package static let source = Mutex<(@Sendable () -> (any SimulatedTime)?)?>(nil)

  private static var simulation: (any SimulatedTime)? { source.withLock(\.self)?() }

  /// The current date.
  package static var date: Date {
    simulation.map { time in WallClock { time.milliseconds() } }.map { $0.date() } ?? Date()
  }

  /// Returns a random number.
  package static func randomWord() -> UInt64 { simulation?.randomWord() ?? .random(in: 0...(.max)) }

  /// Returns an identifier that has not been used before.
  package static func uuid() -> UUID {
    guard let simulation else { return UUID() }
    return UUID(version4: (simulation.randomWord(), simulation.randomWord()))
  }

  /// Lets the simulation delay or crash the program at a named place.
  static func faultPoint(_ name: StaticString) async { await simulation?.faultPoint(name) }
}

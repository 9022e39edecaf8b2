package import Foundation
package import Synchronization

/// The dates and identifiers that code without its own clock takes from the system.
///
/// All tasks of a simulation take them from the simulation, so a seed decides them.
package enum SystemValues {
  /// Returns the simulation that runs on the current thread; `nil` outside a simulation.
  ///
  /// The library of simulations sets it. A task-local value would not reach detached tasks.
  package static let source = Mutex<(@Sendable () -> (any SimulatedTime)?)?>(nil)

  private static var simulation: (any SimulatedTime)? { source.withLock(\.self)?() }

  /// The current date.
  package static var date: Date {
    guard let simulation else { return Date() }
    return Date(timeIntervalSince1970: Double(simulation.milliseconds()) / 1_000)
  }

  /// Returns a random number.
  package static func randomWord() -> UInt64 { simulation?.randomWord() ?? .random(in: 0...(.max)) }

  /// Returns an identifier that has not been used before.
  package static func uuid() -> UUID {
    guard let simulation else { return UUID() }
    return UUID(version4: (simulation.randomWord(), simulation.randomWord()))
  }
}

extension UUID {
  /// Makes an identifier of version 4 from random numbers (RFC 9562, 5.4).
  package init(version4 words: (UInt64, UInt64)) {
    let high = words.0 & ~0xf000 | 0x4000
    let low = words.1 & ~(0b11 << 62) | 0b10 << 62
    self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }
}

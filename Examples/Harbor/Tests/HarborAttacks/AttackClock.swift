import Foundation
import Synchronization

/// The date of an attacked server.
final class AttackClock: Sendable {
  private let hours = Mutex(0)

  var date: Date { AttackedHarbor.now.addingTimeInterval(Double(hours.withLock(\.self)) * 3_600) }

  func passHour() { hours.withLock { $0 += 1 } }
}

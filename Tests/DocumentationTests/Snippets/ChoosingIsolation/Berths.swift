import Observation
import Synchronization

// snippet
/// A value: it is copied, so it needs no isolation.
nonisolated struct Reservation: Equatable, Sendable {
  let boat: String
  var nights: Int
}

/// Requires `Sendable` and no actor, so that an actor can conform to it.
protocol ReservationService: Sendable {
  func reserve(_ reservation: Reservation) async throws
}
// end

// snippet
actor ReservationLedger: ReservationService {
  private var reservations: [Reservation] = []

  /// A constant needs no isolation: it is read without `await`.
  nonisolated let harbour: String

  init(harbour: String) {
    self.harbour = harbour
  }

  var count: Int { reservations.count }

  func reserve(_ reservation: Reservation) {
    reservations.append(reservation)
  }
}
// end

// snippet
final class VisitorCount: Sendable {
  private let count = Mutex(0)

  var current: Int { count.withLock { $0 } }

  func add() {
    count.withLock { $0 += 1 }
  }
}
// end

// snippet
@MainActor @Observable final class ReservationForm {
  private(set) var isSending = false
  private(set) var problem: String?
  private let service: any ReservationService

  init(service: any ReservationService) {
    self.service = service
  }

  func submit(_ reservation: Reservation) async {
    isSending = true
    problem = nil
    do {
      try await service.reserve(reservation)
    } catch {
      problem = Self.text(for: error)
    }
    isSending = false
  }

  /// Uses no state of the main actor, so any caller may use it without `await`.
  nonisolated static func text(for error: any Error) -> String {
    "Not reserved: \(error)"
  }
}
// end

@MainActor final class Notebook {
  var lines: [String] = []

  func writeWithRun() async {
    lines.append("before")
    // causeway:ignore main-actor-run a test compares it with a plain statement
    await MainActor.run { lines.append("in run") }
  }
}

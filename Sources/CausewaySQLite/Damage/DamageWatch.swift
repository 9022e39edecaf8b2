import CausewayData
import Synchronization

/// Remembers that a connection of a service has come upon damage, whoever caught the error.
final class DamageWatch: Sendable {
  private let hasFound = Atomic(false)
  private let found = Mutex<PersistenceError?>(nil)

  /// Asked after each transaction, so it is no more than a look at a flag.
  var isNoted: Bool { hasFound.load(ordering: .acquiring) }

  /// Takes notice of an error if it is one about damage.
  func note(_ error: PersistenceError) {
    guard error.kind == .corrupt || error.kind == .notADatabase else { return }
    found.withLock { $0 = $0 ?? error }
    hasFound.store(true, ordering: .releasing)
  }

  /// Has the next transaction see to the file, because there is none that could be opened.
  func requireReopening() {
    hasFound.store(true, ordering: .releasing)
  }

  /// The first error since the last call.
  func take() -> PersistenceError? {
    hasFound.store(false, ordering: .releasing)
    return found.withLock { $0.take() }
  }
}

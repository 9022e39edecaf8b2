import CausewayData
import Synchronization

/// The damage and replacement of a service's file, as its connections detect it.
final class FileCondition: Sendable {
  private struct State {
    var damage: PersistenceError?
    var opened: StoreFile.Identity?
    var openedLog: StoreFile.Identity?
  }

  private let needsAttention = Atomic(false)
  private let state = Mutex(State())

  /// Whether the next transaction must first check the file.
  ///
  /// This is an atomic flag, because it is read after each transaction.
  var isNoted: Bool { needsAttention.load(ordering: .acquiring) }

  /// Stores the identities of the open file and its log.
  func setOpened(_ file: StoreFile.Identity?, log: StoreFile.Identity? = nil) {
    state.withLock { ($0.opened, $0.openedLog) = (file, log) }
  }

  /// The identities of the open file and its log.
  var opened: (file: StoreFile.Identity?, log: StoreFile.Identity?) {
    state.withLock { ($0.opened, $0.openedLog) }
  }

  /// Stores an error if it means that the file is damaged.
  func note(_ error: PersistenceError) {
    guard error.kind == .corrupt || error.kind == .notADatabase else { return }
    state.withLock { $0.damage = $0.damage ?? error }
    requireReopening()
  }

  /// Makes the next transaction open the file again.
  func requireReopening() {
    needsAttention.store(true, ordering: .releasing)
  }

  /// Returns and removes the first error since the last call.
  func takeDamage() -> PersistenceError? {
    needsAttention.store(false, ordering: .releasing)
    return state.withLock { $0.damage.take() }
  }
}

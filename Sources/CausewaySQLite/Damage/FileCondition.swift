import CausewayData
import Synchronization

/// What the connections of a service have found out about its file.
final class FileCondition: Sendable {
  private struct State {
    var damage: PersistenceError?
    var opened: StoreFile.Identity?
    var openedLog: StoreFile.Identity?
  }

  private let needsAttention = Atomic(false)
  private let state = Mutex(State())

  /// Whether the next transaction has to look after the file first.
  ///
  /// Read after each transaction, so it is only an atomic flag.
  var isNoted: Bool { needsAttention.load(ordering: .acquiring) }

  /// Remembers the file that the service has open.
  func setOpened(_ file: StoreFile.Identity?, log: StoreFile.Identity? = nil) {
    state.withLock { ($0.opened, $0.openedLog) = (file, log) }
  }

  /// The file that the service has open, and its log.
  var opened: (file: StoreFile.Identity?, log: StoreFile.Identity?) {
    state.withLock { ($0.opened, $0.openedLog) }
  }

  /// Remembers an error if it says that the file is damaged.
  func note(_ error: PersistenceError) {
    guard error.kind == .corrupt || error.kind == .notADatabase else { return }
    state.withLock { $0.damage = $0.damage ?? error }
    requireReopening()
  }

  /// Has the next transaction open the file again.
  func requireReopening() {
    needsAttention.store(true, ordering: .releasing)
  }

  /// The first error since the last call.
  func takeDamage() -> PersistenceError? {
    needsAttention.store(false, ordering: .releasing)
    return state.withLock { $0.damage.take() }
  }
}

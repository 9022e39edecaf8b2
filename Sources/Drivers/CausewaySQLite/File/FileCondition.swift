import CausewayBasics
import CausewayDatabase
import Synchronization

/// The damage or replacement of a service's file, as its connections detect it.
final class FileCondition: Sendable {
  private struct State {
    var damage: PersistenceError?
    var opened = StoreFile.OpenFiles()
  }

  private let needsAttention = Atomic(false)
  private let state = Mutex(State())
  private let problems = CurrentValue(PersistenceError?.none)

  /// Whether the next transaction must first check the file.
  ///
  /// This is an atomic flag, because it is read after each transaction.
  var isNoted: Bool { needsAttention.load(ordering: .acquiring) }

  /// The files that the service has open.
  var opened: StoreFile.OpenFiles {
    get { state.withLock { $0.opened } }
    set { state.withLock { $0.opened = newValue } }
  }

  /// The last published problem; `nil` if none is known.
  var problem: PersistenceError? { problems.value }

  /// Yields the last published problem and then its changes.
  func stream() -> AsyncStream<PersistenceError?> { problems.stream() }

  /// Publishes a problem, or its end; returns whether it differs from the last one.
  @discardableResult
  func publish(_ problem: PersistenceError?) -> Bool {
    problems.set(problem)
  }

  /// Stores an error if it means that the file is damaged.
  func note(_ error: PersistenceError) {
    guard error.kind == .corrupt || error.kind == .notADatabase else { return }
    noteDamage(error)
  }

  /// Stores an error that shows damage, whatever its kind.
  func noteDamage(_ error: PersistenceError) {
    state.withLock { $0.damage = $0.damage ?? error }
    requireReopening()
  }

  /// Makes the next transaction open the file again.
  func requireReopening() {
    needsAttention.store(true, ordering: .releasing)
  }

  /// Returns and removes the first error that was stored since the last call.
  func takeDamage() -> PersistenceError? {
    needsAttention.store(false, ordering: .releasing)
    return state.withLock { $0.damage.take() }
  }
}

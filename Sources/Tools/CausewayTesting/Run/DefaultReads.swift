import Causeway
import Synchronization

/// The reads of defaults that were not reported yet.
final class DefaultReads: Sendable {
  private let errors = Mutex<[RuntimeError]>([])
  private let known = Mutex<Set<String>>([])

  /// Adds a read, once for each key.
  func add(_ error: RuntimeError) {
    guard known.withLock({ $0.insert("\(error)").inserted }) else { return }
    errors.withLock { $0.append(error) }
  }

  func takeAll() -> [RuntimeError] {
    errors.withLock { errors in
      defer { errors = [] }
      return errors
    }
  }
}

import CausewayBasics
import Synchronization

/// The changes in the outbox that an engine has not processed yet.
///
/// Its size does not grow with the number of changes.
final class PendingOutboxChanges: Sendable {
  /// The result of a send.
  enum End: Sendable {
    case acknowledged
    case failed(RemoteFailure)
  }

  /// Several changes, combined in one value.
  struct Digest: Sendable {
    /// The result of the last send; `nil` if no send has ended.
    var lastEnd: End?
    /// The server has a mutation that the stored data does not contain.
    var needsRead = false
    /// The number of new entries, and the lowest of their sequence numbers.
    var stored = 0
    var firstStored = Int64.max
    /// Entries were removed.
    var needsCount = false
  }

  private let digest = Mutex(Digest())
  private let readsSoon = Mutex(false)

  /// Whether the engine reads soon after the server acknowledges a mutation.
  var expectsRead: Bool {
    get { readsSoon.withLock(\.self) }
    set { readsSoon.withLock { $0 = newValue } }
  }

  func add(_ change: OutboxChange) {
    digest.withLock { digest in
      switch change {
      case .stored(let sequence):
        digest.stored += 1
        digest.firstStored = min(digest.firstStored, sequence)
      case .acknowledged(let isReadSoon):
        digest.lastEnd = .acknowledged
        if isReadSoon { digest.needsRead = true }
      case .saved(let isCovered):
        if isCovered { digest.needsCount = true } else { digest.needsRead = true }
      case .failed(let failure): digest.lastEnd = .failed(failure)
      case .rejected(let failure):
        digest.lastEnd = .failed(failure)
        digest.needsCount = true
      case .removed: digest.needsCount = true
      }
    }
  }

  /// Returns the changes since the last call.
  func take() -> Digest {
    digest.withLock { digest in
      defer { digest = Digest() }
      return digest
    }
  }
}

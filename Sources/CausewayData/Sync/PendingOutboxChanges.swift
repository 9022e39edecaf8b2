import Synchronization

/// What the outbox has told an engine and the engine has not taken in.
///
/// Its size does not grow with the number of changes.
final class PendingOutboxChanges: Sendable {
  /// How a send has ended.
  enum End: Sendable {
    case acknowledged
    case failed(RemoteFailure)
  }

  /// Several changes as one.
  struct Digest: Sendable {
    /// How the last send has ended; `nil` when none has.
    var lastEnd: End?
    /// The server has a mutation that the stored data does not show.
    var needsRead = false
    /// How many entries were stored, and the lowest of their sequence numbers.
    var stored = 0
    var firstStored = Int64.max
    /// Entries have gone.
    var needsCount = false
  }

  private let digest = Mutex(Digest())
  private let readsSoon = Mutex(false)

  /// Whether the engine soon reads what is acknowledged now.
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

  /// Returns what has been added since the last call.
  func take() -> Digest {
    digest.withLock { digest in
      defer { digest = Digest() }
      return digest
    }
  }
}

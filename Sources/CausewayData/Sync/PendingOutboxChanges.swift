import Synchronization

/// What an engine was told of its entries and has not taken in; of the same size however much it is.
final class PendingOutboxChanges: Sendable {
  /// Several changes as one.
  struct Digest: Sendable {
    /// How the last send has ended that told of something; `nil` when none has.
    var lastEnd: OutboxChange?
    /// The server has a mutation that what is stored does not show.
    var needsRead = false
  }

  private let digest = Mutex(Digest())

  func add(_ change: OutboxChange) {
    digest.withLock { digest in
      switch change {
      case .failed, .rejected, .acknowledged(isCovered: true):
        digest.lastEnd = change
      case .acknowledged(isCovered: false):
        digest.lastEnd = change
        digest.needsRead = true
      case .stored, .removed:
        break
      }
    }
  }

  /// What has been added since the last time.
  func take() -> Digest {
    digest.withLock { digest in
      defer { digest = Digest() }
      return digest
    }
  }
}

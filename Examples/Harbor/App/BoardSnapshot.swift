import HarborDomain
import Synchronization

/// The board as it was last seen, ready for the first picture of a page.
final class BoardSnapshot: Sendable {
  private let latest: Latest
  private let following: Task<Void, Never>

  /// Follows a board; returns once it was read, or could not be.
  init(_ board: any ActivityRepositoryProtocol) async {
    let (first, isSeen) = AsyncStream.makeStream(of: Never.self)
    let latest = Latest()
    following = Task {
      do {
        for try await activities in board.activities() {
          latest.value.withLock { $0 = activities }
          isSeen.finish()
        }
      } catch {
        // Each page follows the board itself and shows the problem.
        latest.value.withLock { $0 = nil }
      }
      isSeen.finish()
    }
    for await _ in first {}
    self.latest = latest
  }

  /// The board, or `nil` while it cannot be read.
  ///
  /// A lock-protected look, from any isolation.
  var activities: [Activity]? { latest.value.withLock { $0 } }

  /// Stops following.
  func stop() { following.cancel() }
}

/// Shared by the snapshot and its task, so that the task does not keep the snapshot.
private final class Latest: Sendable {
  let value = Mutex<[Activity]?>(nil)
}

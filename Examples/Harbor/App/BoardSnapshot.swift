import HarborDomain
import Synchronization

/// The last known board, for the first view state of a page.
final class BoardSnapshot: Sendable {
  private let latest: Latest
  private let following: Task<Void, Never>

  /// Follows a board.
  ///
  /// Returns after the first read, whether it succeeded or failed.
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
        // Each page also follows the board and shows the problem.
        latest.value.withLock { $0 = nil }
      }
      isSeen.finish()
    }
    for await _ in first {}
    self.latest = latest
  }

  /// The board; `nil` while it cannot be read.
  ///
  /// Reads under a lock, from any isolation.
  var activities: [Activity]? { latest.value.withLock { $0 } }

  /// Stops following the board.
  func stop() { following.cancel() }
}

/// The value that the snapshot shares with its task.
///
/// With it, the task does not retain the snapshot.
private final class Latest: Sendable {
  let value = Mutex<[Activity]?>(nil)
}

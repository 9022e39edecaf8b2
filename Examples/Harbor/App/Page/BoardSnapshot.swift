import HarborDomain
import Synchronization

/// The last known board, for the first view state of a page.
final class BoardSnapshot: Sendable {
  private let latest = Latest()
  private let following: Task<Void, Never>
  private let isSeen: AsyncStream<Never>

  /// Follows a board.
  init(_ board: any ActivityRepositoryProtocol) {
    let (isSeen, continuation) = AsyncStream.makeStream(of: Never.self)
    self.isSeen = isSeen
    following = Task { [latest] in
      do {
        for try await activities in board.activities() {
          latest.value.withLock { $0 = activities }
          continuation.finish()
        }
      } catch {
        // Each page also follows the board and shows the problem.
        latest.value.withLock { $0 = nil }
      }
      continuation.finish()
    }
  }

  /// Waits for the end of the first read, whether it succeeded or failed.
  func firstRead() async {
    for await _ in isSeen {}
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

import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures
import Synchronization

/// The board of a group for all pages that show it, whatever their accounts.
///
/// It lives as long as one of the pages. It has only the part of a large board that they show.
@MainActor final class HostedBoard {
  let snapshot: BoardSnapshot
  let shared: SharedBoards
  /// All activities, for the list of people.
  let whole: WholeBoard
  private let reach = BoardReach()

  init(_ activities: HostedCollection<ActivityMutation>, _ now: @escaping @Sendable () -> Date) {
    let board = HostedActivities(records: activities, now: now)
    snapshot = BoardSnapshot(
      reading: { [reach] receive in try await activities.readBoard(within: reach, receive) },
      change: BoardSnapshot.people)
    shared = SharedBoards(SharedActivities(board: board, snapshot: snapshot), snapshot)
    whole = WholeBoard(board)
  }

  /// Reads what a page shows, unless it was read before.
  ///
  /// - Returns: What the page retains, so that its part of the board stays.
  /// - Throws: A `Problem` if the open pages begin at too many days.
  func show(_ window: BoardWindow) async throws -> BoardReach.Hold {
    guard let hold = reach.hold(window.reach) else {
      throw Problem(
        .serviceUnavailable, code: "too-many-days",
        detail: "Pages of many days of this board are open. Open this day again in a minute.",
        headers: ["Retry-After": "60"])
    }
    do {
      for try await activities in snapshot.stream() where activities.covers(window.reach) { break }
    } catch {
      // The page shows the problem.
    }
    return hold
  }
}

/// All activities of a board, which are read while a page follows them.
final class WholeBoard: Sendable {
  private struct State {
    weak var reading: BoardSnapshot?
  }

  private let board: HostedActivities
  private let state = Mutex(State())

  init(_ board: HostedActivities) { self.board = board }

  /// Follows the board; all pages share one reading.
  func activities() -> AsyncThrowingStream<Activities, any Error> {
    .newest { [self] listener in
      let reading = reading()
      // The reading stops when it is released.
      defer { withExtendedLifetime(reading) {} }
      for try await activities in reading.stream() { listener.yield(activities) }
    }
  }

  private func reading() -> BoardSnapshot {
    state.withLock { state in
      if let reading = state.reading { return reading }
      let reading = BoardSnapshot(
        { [board] in board.activities() }, change: BoardSnapshot.people)
      state.reading = reading
      return reading
    }
  }
}

import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain

/// The board of a group for all pages that show it, whatever their accounts.
///
/// It lives as long as one of the pages.
@MainActor final class HostedBoard {
  let snapshot: BoardSnapshot
  let shared: SharedBoards
  let search: HostedSearch

  init(_ activities: HostedCollection<ActivityMutation>, _ now: @escaping @Sendable () -> Date) {
    let board = HostedActivities(records: activities, now: now)
    snapshot = BoardSnapshot(board, clock: nil)
    shared = SharedBoards(SharedActivities(board: board, snapshot: snapshot), snapshot)
    search = HostedSearch(snapshot: snapshot)
  }
}

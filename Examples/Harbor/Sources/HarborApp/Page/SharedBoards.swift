import Causeway
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// The boards that visitors share: one for each time zone and window.
///
/// The texts of a board contain times, so only visitors in the same time zone can share a board.
/// Each change updates all boards. Beyond 256 of them, a page shows the first window with the times
/// of the server.
@MainActor
final class SharedBoards {
  /// The wording of the texts of a shared board, and the window that it shows.
  struct Board {
    let wording: BoardWording
    let window: BoardWindow
    fileprivate let retry: @MainActor () -> Void
  }

  private struct Key: Hashable {
    let zone: TimeZone
    let window: BoardWindow
  }

  private let states: SharedStates<Key, Board>

  init(_ activities: any ActivityRepositoryProtocol, _ snapshot: BoardSnapshot) {
    states = SharedStates(limit: 256, fallback: Key(zone: .current, window: .first)) { key in
      let wording = BoardWording(timeZone: key.zone)
      let model = ViewModel(
        FeedInteractor(
          environment: FeedEnvironment(
            activities: activities, names: NoName(), wording: wording,
            beginning: { .init(activities: snapshot.value) })),
        reducer: BoardReducer(wording: wording, window: key.window))
      model.send(.appear)
      let board = Board(wording: wording, window: key.window) { [weak model] in
        if model?.viewState.failure.isEmpty == false { model?.send(.appear) }
      }
      return (try SharedState("board", of: model), board)
    }
  }

  /// Follows the activities again on the boards that have failed.
  func retry() { for board in states.values { board.retry() } }

  /// Returns the board of a time zone, or the board of the server's time zone.
  func board(
    in zone: TimeZone?, _ window: BoardWindow = .first
  ) throws -> (state: SharedState, board: Board) {
    let (state, board) = try states.state(for: Key(zone: zone ?? .current, window: window))
    return (state, board)
  }
}

import Causeway
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// The boards that visitors share: one for each time zone and window.
///
/// The texts of a board contain times, so visitors in a time zone can share it.
@MainActor
final class SharedBoards {
  /// A shared board, and the wording of its texts.
  struct Board {
    let state: SharedState
    let wording: BoardWording
  }

  private let activities: any ActivityRepositoryProtocol
  private let snapshot: BoardSnapshot
  private var entries: [Key: Entry] = [:]
  /// The board of the newest session, while that session does not retain the board yet.
  private var newest: Board?

  private struct Key: Hashable {
    let zone: TimeZone
    let window: BoardWindow
  }

  /// A board that lives as long as a session shows it.
  private struct Entry {
    weak var state: SharedState?
    let wording: BoardWording
    let retry: @MainActor () -> Void

    var board: Board? { state.map { Board(state: $0, wording: wording) } }
  }

  /// The largest number of boards.
  ///
  /// A client can name any time zone, and each change updates every board, so boards are limited.
  /// Then a page shows the times of the server, and at most the smallest window.
  private static let limit = 64

  init(_ activities: any ActivityRepositoryProtocol, _ snapshot: BoardSnapshot) {
    self.activities = activities
    self.snapshot = snapshot
  }

  /// Follows the activities again on the boards that have failed.
  func retry() {
    for entry in entries.values { entry.retry() }
  }

  /// Returns the board of a time zone, or the board of the server's time zone.
  func board(in zone: TimeZone?, _ window: BoardWindow = .first) throws -> Board {
    let zone = zone ?? .current
    let key = Key(zone: zone, window: window)
    if let board = entries[key]?.board {
      newest = board
      return board
    }
    newest = nil
    entries = entries.filter { $0.value.state != nil }
    if entries.count >= Self.limit, key != Key(zone: .current, window: .first) {
      return try board(in: .current)
    }
    let wording = BoardWording(timeZone: zone)
    let model = ViewModel(
      FeedInteractor(
        environment: FeedEnvironment(
          activities: activities, names: NoName(), wording: wording,
          beginning: { [snapshot] in .init(activities: snapshot.activities) })),
      reducer: BoardReducer(wording: wording, window: window))
    model.send(.appear)
    let board = Board(state: try SharedState("board", of: model), wording: wording)
    entries[key] = Entry(state: board.state, wording: wording) { [weak model] in
      if model?.viewState.failure.isEmpty == false { model?.send(.appear) }
    }
    newest = board
    return board
  }
}

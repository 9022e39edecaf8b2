import Causeway
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// The boards that visitors share: one for each time zone.
///
/// The texts of a board contain times, so all visitors in a time zone can share it.
@MainActor
final class SharedBoards {
  /// A shared board, and the wording of its texts.
  struct Board {
    let state: SharedState
    let wording: BoardWording
  }

  private let activities: any ActivityRepositoryProtocol
  private let snapshot: BoardSnapshot
  private var entries: [TimeZone: Entry] = [:]
  /// The board of the newest session, while that session does not retain the board yet.
  private var newest: Board?

  /// A board that lives as long as a session shows it.
  private struct Entry {
    weak var state: SharedState?
    let wording: BoardWording
    let retry: @MainActor () -> Void

    var board: Board? { state.map { Board(state: $0, wording: wording) } }
  }

  /// The largest number of time zones with a board of their own.
  ///
  /// A client can name any time zone, and each change updates every board, so boards are limited.
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
  func board(in zone: TimeZone?) throws -> Board {
    let zone = zone ?? .current
    if let board = entries[zone]?.board {
      newest = board
      return board
    }
    newest = nil
    entries = entries.filter { $0.value.state != nil }
    if entries.count >= Self.limit, zone != .current { return try board(in: .current) }
    let wording = BoardWording(timeZone: zone)
    let model = ViewModel(
      FeedInteractor(
        environment: FeedEnvironment(
          activities: activities, names: NoName(), wording: wording,
          beginning: { [snapshot] in .init(activities: snapshot.activities) })),
      reducer: BoardReducer(wording: wording))
    model.send(.appear)
    let board = Board(state: try SharedState("board", of: model), wording: wording)
    entries[zone] = Entry(state: board.state, wording: wording) { [weak model] in
      if model?.viewState.failure.isEmpty == false { model?.send(.appear) }
    }
    newest = board
    return board
  }
}

import Causeway
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// The boards that visitors share: one for each time zone and window.
///
/// The texts of a board contain times, so visitors in a time zone can share it. Beyond 64 boards, a
/// page shows the times of the server, and at most the smallest window.
@MainActor
final class SharedBoards {
  /// A shared board, and the wording of its texts.
  struct Board {
    let state: SharedState
    let wording: BoardWording
  }

  private struct Key: Hashable {
    let zone: TimeZone
    let window: BoardWindow
  }

  private struct Part {
    let wording: BoardWording
    let retry: @MainActor () -> Void
  }

  private let states: SharedStates<Key, Part>

  init(_ activities: any ActivityRepositoryProtocol, _ snapshot: BoardSnapshot) {
    states = SharedStates(fallback: Key(zone: .current, window: .first)) { key in
      let wording = BoardWording(timeZone: key.zone)
      let model = ViewModel(
        FeedInteractor(
          environment: FeedEnvironment(
            activities: activities, names: NoName(), wording: wording,
            beginning: { .init(activities: snapshot.value) })),
        reducer: BoardReducer(wording: wording, window: key.window))
      model.send(.appear)
      let part = Part(wording: wording) { [weak model] in
        if model?.viewState.failure.isEmpty == false { model?.send(.appear) }
      }
      return (try SharedState("board", of: model), part)
    }
  }

  /// Follows the activities again on the boards that have failed.
  func retry() { for part in states.values { part.retry() } }

  /// Returns the board of a time zone, or the board of the server's time zone.
  func board(in zone: TimeZone?, _ window: BoardWindow = .first) throws -> Board {
    let (state, part) = try states.state(for: Key(zone: zone ?? .current, window: window))
    return Board(state: state, wording: part.wording)
  }
}

import Causeway
import CausewayData
import CausewaySQLite
import Foundation
import HarborDomain
import HarborFeatures
import SwiftUI

typealias FeedModel = ViewModel<FeedViewState, FeedInteractor.Action>

/// Harbor's board in a window, on a database in memory.
@main
struct BoardApp: App {
  var body: some Scene {
    WindowGroup("Harbor") {
      RootView()
    }
  }
}

/// Opens the board, then shows it.
struct RootView: View {
  @State private var feed: FeedModel?
  @State private var problem: String?

  var body: some View {
    if let feed {
      BoardView(feed: feed)
    } else if let problem {
      Text(problem)
    } else {
      ProgressView("Opening the board")
        .task { await open() }
    }
  }

  private func open() async {
    do {
      let store = try InMemoryPersistenceService(migrations: HarborTables.migrations)
      let outbox = Outbox(persistence: store, session: SessionService(account: .local))
      let activities = ActivityRepository(
        group: "window", network: NoNetwork(), outbox: outbox)
      for entry in SampleBoard(now: Date(), calendar: .current).entries {
        let activity = try await activities.create(entry.details, host: entry.host)
        for guest in entry.guests { try await activities.join(activity.id, as: guest) }
      }
      let names = BrowserName(NameRepository(store: store), browser: "this device")
      let feed = FeedModel(
        FeedInteractor(environment: FeedEnvironment(activities: activities, names: names)),
        reducer: FeedReducer(wording: BoardWording()))
      feed.send(.appear)
      self.feed = feed
    } catch {
      problem = "The board could not be opened: \(error)"
    }
  }
}

/// The network of a board that has no server: its changes stay in the outbox.
struct NoNetwork: NetworkService {
  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    throw NetworkError(.notConnected, message: "This board has no server.")
  }

  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await response(for: request, progress: progress)
  }

  func events(for request: NetworkRequest) -> NetworkEventStream {
    NetworkEventStream { $0.finish() }
  }
}

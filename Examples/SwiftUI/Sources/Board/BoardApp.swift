import Causeway
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
      let store = try InMemoryPersistenceService(migrations: BoardMigrations.all)
      let activities = ActivityRepository(store: store)
      try await activities.begin(with: SampleBoard(now: Date(), calendar: .current))
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

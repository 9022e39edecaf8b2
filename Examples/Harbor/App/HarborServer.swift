import Causeway
import CausewayData
import CausewaySQLite
import CausewaySignals
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// All parts of Harbor in one process: the store, the board and the page.
struct HarborServer: Sendable {
  private let shutdown: ShutdownSequence
  /// The address of the page.
  let url: String

  /// Opens the store and starts the server.
  ///
  /// - Throws: ``StartError``. In this case, everything is closed again.
  init(options: Options, directory: DataDirectory) async throws(StartError) {
    try directory.prepare()
    let key = try directory.cookieKey()
    let shutdown = ShutdownSequence()
    let store = try await Self.store(in: directory.database)
    shutdown.add("store") { try await store.close() }
    do {
      let activities = ActivityRepository(store: store)
      let names = NameRepository(store: store)
      let sample = SampleBoard(now: Date(), calendar: .current)
      try await activities.begin(with: options.isEmpty ? nil : sample)
      try await names.load()
      let snapshot = await BoardSnapshot(activities)
      shutdown.add("snapshot") { snapshot.stop() }
      var configuration = WebServer.Configuration(port: options.port)
      configuration.cookieKey = key
      let server = WebServer(configuration: configuration)
      try await Self.serve(activities, names, snapshot, on: server)
      url = try await server.start().url
      shutdown.add("server") { await server.stop(deadline: .seconds(5)) }
      self.shutdown = shutdown
    } catch {
      await shutdown.run()
      throw error is ActivityError
        ? .database(path: directory.database, reason: "\(error)") : .server(reason: "\(error)")
    }
  }

  /// Ends every stream, waits for pending writes, and closes the store.
  ///
  /// - Throws: The store's error if its last checkpoint fails. No saved data is lost then.
  func stop() async throws {
    for failure in await shutdown.run() { throw failure.error }
  }

  private static func store(in path: String) async throws(StartError) -> SQLiteService {
    do {
      let store = try await SQLiteService(path: path, migrations: BoardMigrations.all)
      do {
        // New activities in a damaged file could be lost.
        try await store.checkIntegrity()
        return store
      } catch {
        try? await store.close()
        throw error
      }
    } catch let error as PersistenceError where error.kind == .corrupt {
      throw .damaged(path: path, reason: error.message)
    } catch {
      throw .database(path: path, reason: "\(error)")
    }
  }

  @MainActor private static func serve(
    _ activities: ActivityRepository, _ names: NameRepository, _ snapshot: BoardSnapshot,
    on server: WebServer
  ) throws {
    let page = String(decoding: PackageResources.index_html, as: UTF8.self)
    let boards = SharedBoards(activities, snapshot)
    let template = try PageTemplate(page)
    server.page(
      "/", template, answering: \.answer,
      sharing: { try boards.board(in: $0.timeZone).state }
    ) { session in
      let wording = try boards.board(in: session.timeZone).wording
      let name = BrowserName(names, browser: session.browser)
      let environment = FeedEnvironment(
        activities: activities, names: name, wording: wording,
        beginning: { .init(activities: snapshot.activities, person: name.latest) })
      let feed = ViewModel(
        FeedInteractor(environment: environment),
        reducer: PersonalReducer(wording: wording))
      feed.send(.appear)
      return feed
    }
    server.asset("/palette.css", PackageResources.palette_css)
    server.asset("/harbor.css", PackageResources.harbor_css)
    server.asset("/board.css", PackageResources.board_css)
    server.asset("/layout.css", PackageResources.layout_css)
    server.asset("/harbor.svg", PackageResources.harbor_svg)
  }
}

extension FeedInteractor.Action {
  /// The server answers an action that stores data after the data is stored.
  var answer: ActionAnswer {
    switch self {
    case .setName, .create, .save, .join, .leave, .delete: .afterEffects
    case .appear, .startNaming, .cancelNaming, .openComposer, .closeComposer, .edit,
      .cancelEditing, .dismissProblem:
      .atOnce
    }
  }
}

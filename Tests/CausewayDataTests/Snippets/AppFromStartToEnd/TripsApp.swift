// snippet
import Causeway
import CausewayData
import CausewaySQLite

/// The composition root: the only place that knows which parts the app consists of.
@MainActor final class TripsApp {
  let session: SessionService
  let trips: any TripsRepositoryProtocol
  let covers: ResourceCache<String, [UInt8]>
  let drafts: ObservableStore<String, Trip>
  private let auth: AuthSessionService
  private let shutdown: ShutdownSequence

  /// The values that differ between the app and its tests.
  struct Environment: Sendable {
    var directory: String
    var refresh: AuthSessionService.Refresh
    var network: @Sendable (AuthSessionService) -> any NetworkService
    var report: @Sendable (any Error) -> Void
  }

  /// Opens all parts.
  ///
  /// If one of them fails, closes the parts that are already open.
  static func open(_ environment: Environment) async throws -> TripsApp {
    let shutdown = ShutdownSequence()
    do {
      return try await TripsApp(environment, shutdown)
    } catch {
      await shutdown.run()
      throw error
    }
  }

  private init(_ environment: Environment, _ shutdown: ShutdownSequence) async throws {
    let (directory, report) = (environment.directory, environment.report)

    // 1. The session of the last run. A token that cannot be read means a new sign-in.
    let auth = AuthSessionService(
      store: FileTokenStore(path: "\(directory)/token"), refresh: environment.refresh)
    var account: AccountID?
    do { account = try await auth.token()?.account } catch { report(error) }
    let session = SessionService(account: account, report: report)
    session.follow(auth)
    let network = environment.network(auth)

    // 2. The rows that exist nowhere else. The start fails if the database cannot be opened.
    let store = try await SQLiteService(
      path: "\(directory)/trips.sqlite",
      migrations: TripsRepository.migrations + [
        DatabaseBacking<String, Trip>.migration(table: "draft")
      ])
    shutdown.add("database") { try await store.close() }

    // 3. A cache of the server's pictures, and a store of drafts. A logout empties both.
    let files = DiskStore(directory: "\(directory)/covers", bytes: 50_000_000) { report($0) }
    shutdown.add("covers") { await files.close() }
    let covers = ResourceCache<String, [UInt8]>(
      disk: .bytes(files) { $0 }, size: { $0.count }
    ) { path in
      try await network.response(for: NetworkRequest(.get, "/covers/\(path)")).body
    }
    session.add(covers.participant)
    let drafts = ObservableStore(backing: DatabaseBacking<String, Trip>(store, table: "draft"))
    session.add(drafts.participant)
    shutdown.add("drafts") { try await drafts.close() }

    // 4. The parts that follow the server. They end before the database is closed.
    let outbox = Outbox(persistence: store, session: session)
    let trips = TripsRepository(network: network, outbox: outbox)
    let work = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { await outbox.run() }
        group.addTask { await trips.run() }
      }
    }
    shutdown.add("synchronisation") {
      work.cancel()
      await work.value
    }

    (self.session, self.auth, self.trips) = (session, auth, trips)
    (self.covers, self.drafts, self.shutdown) = (covers, drafts, shutdown)
  }

  /// A feature gets protocols and closures, and never this class.
  func makeTripList() -> ViewModel<TripList.State, TripList.Action> {
    ViewModel(TripList(trips: trips))
  }

  /// Stores the token first, because the requests of the session need it.
  func signIn(_ token: AuthToken, as account: AccountID) async throws {
    try await auth.signIn(token, as: account)
    try await session.signIn(account)
  }

  /// Ends the session, and removes the account's token, rows, mutations, covers and drafts.
  func signOut() async throws {
    try await session.logout()
  }

  /// Closes the parts.
  ///
  /// The part that was opened last is closed first.
  func close() async -> [ShutdownSequence.Failure] {
    await shutdown.run()
  }
}
// end

// snippet
@MainActor func runTrips(_ environment: TripsApp.Environment) async -> Int32 {
  let signals = ShutdownSignal.received()  // first, so no signal kills the process
  do {
    let app = try await TripsApp.open(environment)
    let list = app.makeTripList()
    let appearance = list.send(.appear)
    for await _ in signals { break }
    appearance.cancel()  // 1. the screen observes no data any more
    let failures = await app.close()  // 2. the parts save their data and end
    for failure in failures { environment.report(failure) }
    return failures.isEmpty ? 0 : 1
  } catch {
    environment.report(error)
    return 1
  }
}
// end

import CausewayData

// snippet
/// The server's side of every club; a request names its scope.
struct ClubServer: RemoteSource {
  let network: any NetworkService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Trip> {
    let page = try await network.value(
      for: Endpoint<TripServer.Page>(.get, "/clubs/\(request.scope.rawValue)/trips"))
    return RemoteSnapshot(page.trips, version: page.version)
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Trip> {
    .snapshotNeeded
  }

  func apply(_ mutation: TripMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    let version = try await network.value(
      for: Endpoint<SyncVersion>(
        .post, "/clubs/\(request.scope.rawValue)/trips", body: mutation,
        idempotencyKey: request.key))
    return .covered(by: version)
  }
}

/// The trips of the clubs of an account.
actor ClubTrips {
  private let network: any NetworkService
  private let outbox: Outbox
  private var engines: [SyncScope: SyncEngine<ClubServer>] = [:]

  init(network: any NetworkService, outbox: Outbox) {
    self.network = network
    self.outbox = outbox
  }

  /// The engine of a club, which all its screens share.
  func engine(of club: SyncScope) -> SyncEngine<ClubServer> {
    if let engine = engines[club] { return engine }
    let engine = SyncEngine(
      source: ClubServer(network: network), table: TripsRepository.table, scope: club,
      outbox: outbox)
    engine.start()
    engines[club] = engine
    return engine
  }

  /// Makes the engines of the clubs that have unsent changes of an earlier run.
  func resume() async throws {
    for waiting in try await outbox.stranded()
    where waiting.collection == TripsRepository.table.name {
      _ = engine(of: waiting.scope)
    }
  }

  /// Releases the engine of a club.
  ///
  /// Call it when the club has no screen and no unsent change.
  func close(_ club: SyncScope) { engines[club] = nil }
}
// end

import CausewayData

struct TripServer: RemoteSource {
  struct Page: Decodable, Sendable {
    var trips: [Trip]
    var deleted: [String]
    var version: SyncVersion
  }

  let network: any NetworkService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Trip> {
    let page = try await network.value(for: Endpoint<Page>(.get, "/trips"))
    return RemoteSnapshot(page.trips, version: page.version)
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Trip> {
    let page = try await network.value(
      for: Endpoint<Page>(.get, "/trips", query: [.init("since", "\(version)")]))
    return .changes(page.trips, deleted: page.deleted, version: page.version, hasMore: false)
  }

  func apply(_ mutation: TripMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    let version = try await network.value(
      for: Endpoint<SyncVersion>(
        .post, "/trips", body: mutation, idempotencyKey: request.key))
    return .covered(by: version)
  }
}

import CausewayData

/// The server as a device sees it.
struct PantryServer: RemoteSource {
  let network: any NetworkService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Item> {
    let page = try await page(since: 0)
    return RemoteSnapshot(page.items, version: page.version)
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Item> {
    let page = try await page(since: version)
    return .changes(page.items, deleted: [], version: page.version, hasMore: false)
  }

  func apply(_ mutation: ItemMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    let version = try await network.value(
      for: Endpoint<SyncVersion>(.post, "/items", body: mutation, idempotencyKey: request.key))
    return .covered(by: version)
  }

  /// Each event of the server is a reason to read the changes.
  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    network.hints(for: NetworkRequest(.get, "/events"))
  }

  private func page(since version: SyncVersion) async throws -> PantryBackend.Page {
    try await network.value(
      for: Endpoint<PantryBackend.Page>(
        .get, "/items", query: [.init("since", "\(version)")]))
  }
}

public import CausewayBasics
public import CausewayNetwork

/// A collection on a server, for a sync engine.
///
/// All collections have the same three routes after their scope, such as `groups/17`:
///
/// | route | answer |
/// |---|---|
/// | `GET /groups/17/activities?since=VERSION` | a ``CollectionPage`` |
/// | `POST /groups/17/activities/changes` | a ``ChangeAnswer`` for each ``SentChange`` |
/// | `GET /groups/17/activities/events` | an event for each new version |
///
/// `StoredRecords` of CausewaySyncServer makes the pages on the server.
///
/// ```swift
/// let source = CollectionSource<ActivityMutation>("activities", on: network)
/// ```
public struct CollectionSource<Mutation: CausewaySync.Mutation>: RemoteSource
where Mutation.Record.ID == String {
  private let network: any NetworkService
  private let name: String
  private let missing: RemoteFailure
  private let report: @Sendable (UnreadableRecord) -> Void

  /// Describes a collection, in all scopes.
  ///
  /// One source serves all scopes, because the outbox has one sender for each collection.
  ///
  /// - Parameters:
  ///   - name: The name of the collection in addresses.
  ///   - network: Sends the requests to the server.
  ///   - missing: The failure of a read if the server does not have the scope, or the account may
  ///     not use it. A scope that was created offline exists on the server only after the server
  ///     has received its creation.
  ///   - report: Receives the records that this version of the app cannot read. The other records of
  ///     their page are stored. Called on any thread.
  public init(
    _ name: String, on network: any NetworkService, missing: RemoteFailure = .missingScope,
    report: @escaping @Sendable (UnreadableRecord) -> Void = { _ in }
  ) {
    (self.name, self.network, self.missing, self.report) = (name, network, missing, report)
  }

  /// The address of the collection, or of a route of it.
  private func path(_ scope: SyncScope, _ route: String? = nil) -> NetworkPath {
    let parts = scope.rawValue.split(separator: "/", maxSplits: 1).map(String.init) + [name]
    var path = NetworkPath.StringInterpolation(literalCapacity: 3, interpolationCount: 3)
    for part in parts + (route.map { [$0] } ?? []) {
      path.appendLiteral("/")
      path.appendInterpolation(part)
    }
    return NetworkPath(stringInterpolation: path)
  }

  /// Reads all records.
  public func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Mutation.Record> {
    var page = try await read([], of: request)
    var records = page.records
    while page.hasMore {
      page = try await read([.init("since", "\(page.version)")], of: request)
      let replaced = Set(page.records.map(\.id) + page.deleted)
      records.removeAll { replaced.contains($0.id) }
      records += page.records
    }
    return RemoteSnapshot(records, version: page.version)
  }

  /// Reads the records that have changed since a version.
  public func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Mutation.Record> {
    let page = try await read([.init("since", "\(version)")], of: request)
    return .changes(
      page.records, deleted: page.deleted, version: page.version, hasMore: page.hasMore)
  }

  /// Sends one change.
  public func apply(
    _ mutation: Mutation, _ request: MutationRequest
  ) async throws -> MutationReceipt {
    guard
      let answer = try await send(
        [SentChange(key: request.key, mutation: mutation)], to: request.scope
      ).first
    else { throw RemoteFailure(.garbled, "The server did not answer the change.") }
    return try answer.get()
  }

  /// The largest number of changes in one request.
  public var batchLimit: Int { 100 }

  /// Sends several changes, which the server applies in order and in one transaction.
  public func applyBatch(
    _ batch: [BatchedMutation<Mutation>]
  ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
    guard let scope = batch.first?.request.scope else { return [] }
    return try await send(
      batch.map { SentChange(key: $0.request.key, mutation: $0.mutation) }, to: scope)
  }

  /// Yields an element when the server is connected, and for each new version.
  public func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    let events = network.events(
      for: NetworkRequest(.get, path(request.scope, "events")), reconnects: false
    ) { _ in }
    return .newest { listener in
      do {
        for try await _ in events { listener.yield(()) }
      } catch {
        throw patient(error)
      }
    }
  }

  private func read(
    _ query: [NetworkRequest.QueryItem], of request: SyncRequest
  ) async throws -> CollectionPage<Mutation.Record> {
    do {
      let page: CollectionPage<Mutation.Record> = try await network.value(
        for: Endpoint(.get, path(request.scope), query: query))
      for (id, reason) in page.unreadable {
        report(UnreadableRecord(collection: name, id: id, reason: reason))
      }
      return page
    } catch {
      throw patient(error)
    }
  }

  /// Makes a request retryable if the server does not have its scope yet.
  private func patient(_ error: any Error, _ kind: RemoteFailure.Kind? = nil) -> any Error {
    guard (error as? NetworkError)?.status == 404 else { return error }
    return RemoteFailure(kind ?? missing.kind, missing.message)
  }

  private func send(
    _ changes: [SentChange<Mutation>], to scope: SyncScope
  ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
    do {
      let answers = try await network.value(
        for: Endpoint<[ChangeAnswer]>(
          .post, path(scope, "changes"), body: changes,
          // This key permits a retry of the request. The server compares the keys in the body.
          idempotencyKey: changes.first?.key))
      return answers.map(\.result)
    } catch {
      // If the account may not use the scope any more, its changes are refused after ten attempts.
      throw patient(error, .unknown)
    }
  }
}

extension RemoteFailure {
  /// The failure of a read if the server does not have the scope, or the account may not read it.
  public static let missingScope = RemoteFailure(
    .busy, "The server does not have these records, or you may not read them.")
}

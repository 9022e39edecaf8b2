public import CausewayData

/// A collection on a Harbor server, for a sync engine.
///
/// All collections have the same three routes: a page of records, a batch of changes, and events
/// that announce new versions.
public struct CollectionSource<Mutation: CausewayData.Mutation>: RemoteSource
where Mutation.Record.ID == String {
  private let network: any NetworkService
  private let name: String
  private let report: @Sendable (UnreadableRecord) -> Void

  /// Describes a collection of all groups or of all accounts.
  ///
  /// The scope of a request names the group or the account. One source serves all of them, because
  /// the outbox has one sender for each collection.
  ///
  /// - Parameters:
  ///   - name: The name of the collection in addresses.
  ///   - network: Sends the requests to the server.
  ///   - report: Receives the records that this version of the app cannot read. The other records of
  ///     their page are stored. Called on any thread.
  public init(
    _ name: String, on network: any NetworkService,
    report: @escaping @Sendable (UnreadableRecord) -> Void = { _ in }
  ) {
    (self.name, self.network, self.report) = (name, network, report)
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
    guard let path = try? Place(request.scope).path(name, "events") else { return nil }
    let events = network.events(for: NetworkRequest(.get, path))
    return .newest { listener in
      do {
        for try await _ in events { listener.yield(()) }
      } catch {
        throw Self.patient(error)
      }
    }
  }

  private func read(
    _ query: [NetworkRequest.QueryItem], of request: SyncRequest
  ) async throws -> CollectionPage<Mutation.Record> {
    do {
      let page: CollectionPage<Mutation.Record> = try await network.value(
        for: Endpoint(.get, Place(request.scope).path(name), query: query))
      for (id, reason) in page.unreadable {
        report(UnreadableRecord(collection: name, id: id, reason: reason))
      }
      return page
    } catch {
      throw Self.patient(error)
    }
  }

  /// Makes a request retryable if the server does not have its group yet.
  private static func patient(
    _ error: any Error, _ kind: RemoteFailure.Kind = RemoteFailure.missingGroup.kind
  ) -> any Error {
    guard (error as? NetworkError)?.status == 404 else { return error }
    return RemoteFailure(kind, RemoteFailure.missingGroup.message)
  }

  private func send(
    _ changes: [SentChange<Mutation>], to scope: SyncScope
  ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
    do {
      let answers = try await network.value(
        for: Endpoint<[ChangeAnswer]>(
          .post, Place(scope).path(name, "changes"), body: changes,
          // This key permits a retry of the request. The server compares the keys in the body.
          idempotencyKey: changes.first?.key))
      return answers.map(\.result)
    } catch {
      // If the account has left the group, its changes are refused after ten attempts.
      throw Self.patient(error, .unknown)
    }
  }
}

extension RemoteFailure {
  /// The failure of a read if the server does not have the group, or the account is no member.
  ///
  /// A group that was founded offline exists on the server only after that change has arrived.
  public static let missingGroup = RemoteFailure(
    .busy, "The server does not have this group, or you are not a member.")
}

/// A change on its way to the server.
public struct SentChange<Mutation: Codable & Sendable>: Codable, Sendable {
  /// The identity of the change.
  ///
  /// The server applies each key once.
  public var key: IdempotencyKey
  /// The change.
  public var mutation: Mutation

  /// Makes a change with its key.
  public init(key: IdempotencyKey, mutation: Mutation) {
    self.key = key
    self.mutation = mutation
  }
}

/// The server's answer to a change: the version that contains it, or the reason for a refusal.
public struct ChangeAnswer: Codable, Equatable, Sendable {
  /// The first version that contains the change.
  public var version: SyncVersion?
  /// A sentence for people; `nil` if the change was applied.
  public var refusal: String?

  /// The answer to an applied change.
  public init(version: SyncVersion) {
    self.version = version
  }

  /// The answer to a refused change.
  public init(refusal: String) {
    self.refusal = refusal
  }

  var result: Result<MutationReceipt, RemoteFailure> {
    if let version { return .success(.covered(by: version)) }
    return .failure(RemoteFailure(.rejected, refusal ?? "The server gave no reason."))
  }
}

import CausewayData
import CausewayWeb
import Foundation
import HarborDomain

/// The three routes of each collection.
extension Backend {
  /// The largest size of a request with changes, in bytes.
  private static let changesLimit = 4 << 20

  /// Serves a collection of each group.
  func serve<Mutation>(ofGroups collection: Collection<Mutation>) {
    serve(collection, "/groups/:place") { Place.group($0) }
  }

  /// Serves a collection of each account.
  func serve<Mutation>(ofAccounts collection: Collection<Mutation>) {
    serve(collection, "/accounts/:place") { Place.account($0) }
  }

  private func serve<Mutation>(
    _ collection: Collection<Mutation>, _ prefix: String,
    _ place: @escaping @Sendable (String) -> Place
  ) {
    let path = "\(prefix)/\(collection.name)"
    server.get(path) { [self] request in
      let records = Records(
        place: place(request.parameters["place"] ?? ""), collection: collection.name)
      let identity = try await identity(of: request)
      let version = try request.query("since").map(version)
      let page = try await store.read { transaction in
        try identity.check(records.place, in: transaction)
        return try records.page(since: version, in: transaction)
      }
      return Response(.ok, type: "application/json", bytes: page)
    }
    server.post(
      "\(path)/changes", body: [SentChange<Mutation>].self, bodyLimit: Self.changesLimit
    ) { [self] request, changes in
      let place = place(request.parameters["place"] ?? "")
      let identity = try await identity(of: request)
      guard changes.count <= 100 else {
        throw Problem.badRequest("Send at most 100 changes in one request.")
      }
      try rates.count(changes: changes.count, by: identity.account, at: place)
      let now = now()
      return try await store.write { [quotas] transaction in
        try identity.check(place, in: transaction)
        let answers = try changes.map {
          try collection.apply(
            $0, at: place, as: identity.account, on: now, within: quotas, in: transaction)
        }
        try Receipts.removeOldest(of: identity.account, within: quotas, in: transaction)
        return answers
      }
    }
    server.get("\(path)/events") { [self] request in
      let records = Records(
        place: place(request.parameters["place"] ?? ""), collection: collection.name)
      let identity = try await identity(of: request)
      try await store.read { try identity.check(records.place, in: $0) }
      return .events(
        VersionEvents(
          versions: records.versions(in: store),
          access: identity.access(to: records.place, in: store)))
    }
  }

  private func version(_ text: String) throws -> SyncVersion {
    guard let number = Int64(text), number >= 0 else {
      throw Problem.badRequest("\"since\" is not a version.")
    }
    return SyncVersion(number)
  }
}

/// The versions of a collection as events; ends when the account may no longer read it.
///
/// The queries of the versions and of the access run independently. So a client can receive one more
/// version number, but no record, at the moment when its access ends.
struct VersionEvents: AsyncSequence, Sendable {
  let versions: LiveQuery<Int64>
  /// Queries that have no row when the account has lost its access.
  let access: [LiveQuery<Int>]

  func makeAsyncIterator() -> AsyncThrowingStream<ServerSentEvent, any Error>.Iterator {
    // A slow client needs only the latest version.
    let (events, continuation) = AsyncThrowingStream<ServerSentEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let task = Task { [versions, access] in
      do {
        try await Self.forward(versions, while: access, to: continuation)
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return events.makeAsyncIterator()
  }

  /// Returns when the first of the queries ends, or an access query has no row.
  private static func forward(
    _ versions: LiveQuery<Int64>, while access: [LiveQuery<Int>],
    to continuation: AsyncThrowingStream<ServerSentEvent, any Error>.Continuation
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for query in access {
        group.addTask {
          for try await rows in query where rows.isEmpty { return }
        }
      }
      group.addTask {
        for try await rows in versions {
          guard let version = rows.first else { continue }
          continuation.yield(
            ServerSentEvent(name: "version", id: "\(version)", data: "\(version)"))
        }
      }
      defer { group.cancelAll() }
      _ = try await group.next()
    }
  }
}

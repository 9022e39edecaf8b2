import CausewayData
import CausewaySyncServer
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
      let place = place(request.parameters["place"] ?? "")
      let records = Records(place: place, collection: collection.name)
      let identity = try await identity(of: request)
      let version = try request.query("since").map(version)
      let page = try await store.read { transaction in
        try identity.check(place, in: transaction)
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
      let cost = changes.reduce(0) { $0 + collection.cost($1.mutation) }
      try rates.count(changes: cost, by: identity.account, at: place)
      let now = now()
      return try await store.write { [quotas] transaction in
        try identity.check(place, in: transaction)
        let answers = try changes.map {
          try collection.apply(
            $0, at: place, as: identity.account, on: now, within: quotas, in: transaction)
        }
        try Receipts.removeOldest(
          of: identity.account, limit: quotas[.receipts], in: transaction)
        return answers
      }
    }
    server.get("\(path)/events") { [self] request in
      let place = place(request.parameters["place"] ?? "")
      let records = Records(place: place, collection: collection.name)
      let identity = try await identity(of: request)
      try await store.read { try identity.check(place, in: $0) }
      return .events(
        GuardedEvents(
          records.versions(in: store), while: identity.access(to: place, in: store)
        ) { rows in
          rows.first.map { ServerSentEvent(name: "version", id: "\($0)", data: "\($0)") }
        })
    }
  }

  private func version(_ text: String) throws -> Int64 {
    guard let number = Int64(text), number >= 0 else {
      throw Problem.badRequest("\"since\" is not a version.")
    }
    return number
  }
}

import CausewayData

// snippet
struct Remark: Codable, Equatable, Sendable, Identifiable {
  var id: String
  var trip: String
  var text: String
}

enum RemarkMutation: Mutation {
  case write(Remark)

  var recordID: String {
    switch self {
    case .write(let remark): remark.id
    }
  }

  var dependencies: [MutationDependency] {
    switch self {
    case .write(let remark): [.record(remark.trip, in: TripsRepository.table)]
    }
  }

  func apply(to remark: inout Remark?) {
    switch self {
    case .write(let written): remark = written
    }
  }
}
// end

struct RemarkServer: RemoteSource {
  let network: any NetworkService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Remark> {
    RemoteSnapshot(try await network.value(for: Endpoint(.get, "/remarks")), version: 0)
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Remark> {
    .snapshotNeeded
  }

  func apply(
    _ mutation: RemarkMutation, _ request: MutationRequest
  ) async throws -> MutationReceipt {
    _ = try await network.value(
      for: Endpoint<SyncVersion>(.post, "/remarks", body: mutation, idempotencyKey: request.key))
    return .coveredByNextRead
  }

  // snippet
  var batchLimit: Int { 100 }

  func applyBatch(
    _ batch: [BatchedMutation<RemarkMutation>]
  ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
    struct Item: Encodable, Sendable {
      var key: IdempotencyKey
      var mutation: RemarkMutation
    }
    struct Answer: Decodable, Sendable {
      var version: SyncVersion?
      var refusal: String?
    }
    let items = batch.map { Item(key: $0.request.key, mutation: $0.mutation) }
    let answers = try await network.value(
      for: Endpoint<[Answer]>(.post, "/remarks/batch", body: items))
    return answers.map { answer in
      if let version = answer.version { return .success(.covered(by: version)) }
      return .failure(RemoteFailure(.rejected, answer.refusal ?? ""))
    }
  }
  // end
}

extension TripsRepository {
  // snippet
  static let indexed = migrations + [table.migration(indexing: "title")]
  // end
}

func readPages(
  _ engine: SyncEngine<TripServer>, show: ([Synced<Trip>]) -> Void
) async throws {
  // snippet
  var page = try await engine.page(of: 20, orderedBy: "title")
  while let last = page.last {
    show(page)
    page = try await engine.page(of: 20, orderedBy: "title", after: last.record)
  }
  // end
}

func watchRejections(
  _ engine: SyncEngine<TripServer>, show: (TripMutation?, String) -> Void
) async throws {
  // snippet
  for try await letter in engine.rejections() {
    show(letter.mutation(as: TripMutation.self), letter.message)
  }
  // end
}

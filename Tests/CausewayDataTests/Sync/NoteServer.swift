import CausewayData
import TestSupport

/// A correct server in memory, whose next responses a test can falsify.
actor NoteServer: RemoteSource {
  typealias Mutation = NoteMutation

  /// A fault of a request.
  enum Mishap: Sendable {
    /// No fault.
    case none
    /// The request never arrives.
    case fail(RemoteFailure)
    /// The request never arrives, and fails with `CancellationError`.
    case cancel
    /// The request is processed, but the response is lost.
    case failAfterwards(RemoteFailure)
    /// The response is created now and arrives when the gate opens.
    case hold(Gate, arrived: Log<Void>)
    /// No response comes until the request is cancelled.
    case never(arrived: Log<Void>)
  }

  struct Place: Hashable, Sendable {
    var account: AccountID
    var scope: SyncScope
  }

  struct Applied: Equatable, Sendable {
    var key: IdempotencyKey
    var scope: SyncScope
    var mutation: NoteMutation
  }

  private struct Shelf {
    var notes: [String: Note] = [:]
    var version: Int64 = 0
    var changed: [String: Int64] = [:]
  }

  private var shelves: [Place: Shelf] = [:]
  private var receipts: [IdempotencyKey: MutationReceipt] = [:]
  private(set) var applied: [Applied] = []
  private var mutationMishaps: [Mishap] = []
  private var readMishaps: [Mishap] = []
  private var refused: Set<String> = []
  private var receipt: (@Sendable (SyncVersion) -> MutationReceipt) = { .covered(by: $0) }
  /// Replaces the next correct response to a request for changes.
  private var lie: RemoteChanges<Note>?
  /// The maximum number of changes in a response.
  private var pageSize = Int.max
  private(set) var requests: [String] = []
  /// The running requests for a mutation, and their highest number so far.
  private(set) var sending: (now: Int, most: Int, scopes: [SyncScope]) = (0, 0, [])
  nonisolated let arrivals = Log<IdempotencyKey>()

  func spoilMutations(_ mishaps: Mishap...) { mutationMishaps += mishaps }
  func spoilReads(_ mishaps: Mishap...) { readMishaps += mishaps }
  func refuse(_ kind: String) { refused.insert(kind) }
  func answer(with receipt: @escaping @Sendable (SyncVersion) -> MutationReceipt) {
    self.receipt = receipt
  }
  func divide(_ pageSize: Int) { self.pageSize = pageSize }
  func lie(_ answer: RemoteChanges<Note>) { lie = answer }

  /// Changes made by another client.
  func put(_ notes: Note..., account: AccountID = .local, scope: SyncScope = .all) {
    for note in notes { change(note.id, Place(account: account, scope: scope)) { $0 = note } }
  }

  func delete(_ id: String, account: AccountID = .local, scope: SyncScope = .all) {
    change(id, Place(account: account, scope: scope)) { $0 = nil }
  }

  func notes(account: AccountID = .local, scope: SyncScope = .all) -> [Note] {
    let shelf = shelves[Place(account: account, scope: scope)] ?? Shelf()
    return shelf.notes.values.sorted { $0.id < $1.id }
  }

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    requests.append("snapshot")
    let place = Place(account: request.account, scope: request.scope)
    let version = shelves[place]?.version ?? 0
    let answer = RemoteSnapshot(
      notes(account: request.account, scope: request.scope), version: SyncVersion(version))
    return try await suffer(readMishaps.isEmpty ? .none : readMishaps.removeFirst()) { answer }
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    requests.append("changes since \(version)")
    let mishap = readMishaps.isEmpty ? .none : readMishaps.removeFirst()
    if let lie {
      self.lie = nil
      return try await suffer(mishap) { lie }
    }
    let shelf = shelves[Place(account: request.account, scope: request.scope)] ?? Shelf()
    let changed = shelf.changed.filter { $0.value > version.rawValue }
      .sorted { $0.value < $1.value }
    let page = changed.prefix(pageSize)
    let ids = page.map(\.key).sorted()
    let hasMore = page.count < changed.count
    let last = hasMore ? page.last?.value ?? shelf.version : shelf.version
    let answer = RemoteChanges.changes(
      ids.compactMap { shelf.notes[$0] }, deleted: ids.filter { shelf.notes[$0] == nil },
      version: SyncVersion(last), hasMore: hasMore)
    return try await suffer(mishap) { answer }
  }

  func apply(
    _ mutation: NoteMutation, _ request: MutationRequest
  ) async throws -> MutationReceipt {
    arrivals.append(request.key)
    sending.now += 1
    sending.most = max(sending.most, sending.now)
    defer { sending.now -= 1 }
    return try await suffer(mutationMishaps.isEmpty ? .none : mutationMishaps.removeFirst()) {
      try applyOnce(mutation, request)
    }
  }

  private func applyOnce(
    _ mutation: NoteMutation, _ request: MutationRequest
  ) throws -> MutationReceipt {
    if let known = receipts[request.key] { return known }
    guard !refused.contains(mutation.kind) else {
      throw RemoteFailure(.rejected, "\(mutation.kind) is not allowed")
    }
    let place = Place(account: request.account, scope: request.scope)
    change(mutation.recordID, place) { mutation.apply(to: &$0) }
    applied.append(Applied(key: request.key, scope: request.scope, mutation: mutation))
    let given = receipt(SyncVersion(shelves[place]?.version ?? 0))
    receipts[request.key] = given
    return given
  }

  private func change(_ id: String, _ place: Place, _ body: (inout Note?) -> Void) {
    var shelf = shelves[place] ?? Shelf()
    body(&shelf.notes[id])
    shelf.version += 1
    shelf.changed[id] = shelf.version
    shelves[place] = shelf
  }

  private func suffer<T>(_ mishap: Mishap, _ answer: () throws -> T) async throws -> T {
    switch mishap {
    case .none:
      return try answer()
    case .fail(let failure):
      throw failure
    case .cancel:
      throw CancellationError()
    case .failAfterwards(let failure):
      _ = try answer()
      throw failure
    case .hold(let gate, let arrived):
      let value = try answer()
      arrived.append(())
      await gate.waitUncancellably()
      return value
    case .never(let arrived):
      arrived.append(())
      await Gate().wait()
      throw CancellationError()
    }
  }
}

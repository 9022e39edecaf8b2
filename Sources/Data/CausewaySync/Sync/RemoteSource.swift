public import CausewayBasics
public import CausewayNetwork

/// The server's side of a synced collection.
///
/// Each call must end soon after its task is cancelled. ``RemoteFailure/init(_:)`` classifies the
/// errors: throw `RemoteFailure`, or a `NetworkError`.
public protocol RemoteSource<Mutation>: Sendable {
  /// The type of the mutations that are sent to the server; it determines the type of the records.
  associatedtype Mutation: CausewaySync.Mutation

  /// Returns all records of a scope, and their version.
  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Mutation.Record>

  /// Returns the changes in a scope since a version.
  ///
  /// If the response is incomplete, set `hasMore`; the engine then requests the rest.
  ///
  /// - Parameters:
  ///   - version: The stored version, which came with an earlier response.
  ///   - request: The account and the scope to read.
  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Mutation.Record>

  /// Applies a mutation; a repeated idempotency key must not apply it again.
  func apply(
    _ mutation: Mutation, _ request: MutationRequest
  ) async throws -> MutationReceipt

  /// The most mutations in one call of ``applyBatch(_:)``; 1, the default, means no batches.
  var batchLimit: Int { get }

  /// Applies mutations of one scope in order; a repeated key must not apply a mutation again.
  ///
  /// The server must stop at the first mutation that it can only apply later, and must not apply
  /// the mutations after it. A refused mutation does not stop the batch. If this function throws
  /// and one of the mutations may be the reason, the outbox sends them one by one.
  ///
  /// - Parameter batch: At least two mutations, and at most ``batchLimit``, in order.
  /// - Returns: The result of each mutation, in order. Mutations without a result are sent again.
  func applyBatch(
    _ batch: [BatchedMutation<Mutation>]
  ) async throws -> [Result<MutationReceipt, RemoteFailure>]

  /// Returns a stream with an element for each possible change on the server; `nil` for no stream.
  ///
  /// Without a stream, the engine polls. The stream should yield one element as soon as it is
  /// connected. The engine then reads the changes from before the connection. Until the first
  /// element, the engine polls.
  ///
  /// The stream must end or fail when its connection is lost. The engine then reports that it is
  /// offline, and connects again. `hints(for:)` of a ``NetworkService`` makes such a stream, and so
  /// does `events(for:reconnects:connection:)` with `reconnects: false`.
  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>?
}

extension RemoteSource {
  /// By default there are no batches.
  public var batchLimit: Int { 1 }

  /// By default this applies the mutations one after another.
  public func applyBatch(
    _ batch: [BatchedMutation<Mutation>]
  ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
    var results: [Result<MutationReceipt, RemoteFailure>] = []
    for item in batch {
      do {
        results.append(.success(try await apply(item.mutation, item.request)))
      } catch {
        results.append(.failure(RemoteFailure(error)))
        break
      }
    }
    return results
  }

  /// By default there are no hints.
  public func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? { nil }
}

/// The account and scope of a read.
///
/// The response is stored only for this account and this scope.
public struct SyncRequest: Sendable, Hashable {
  /// The account whose data is read.
  public var account: AccountID
  /// The part of the data to read.
  public var scope: SyncScope

  /// Makes a request.
  public init(account: AccountID, scope: SyncScope) {
    self.account = account
    self.scope = scope
  }
}

/// The account, scope and key of a mutation that is being sent.
public struct MutationRequest: Sendable, Equatable {
  /// The account that stored the mutation.
  public var account: AccountID
  /// The part of the data that the mutation changes.
  public var scope: SyncScope
  /// The key of the mutation, the same in each attempt.
  public var key: IdempotencyKey
  /// The number of earlier failed attempts.
  public var attempts: Int

  /// Makes a request.
  public init(account: AccountID, scope: SyncScope, key: IdempotencyKey, attempts: Int) {
    self.account = account
    self.scope = scope
    self.key = key
    self.attempts = attempts
  }
}

/// A mutation of a batch.
public struct BatchedMutation<Mutation: CausewaySync.Mutation>: Sendable {
  /// The mutation to apply.
  public var mutation: Mutation
  /// The account, scope and key of the mutation.
  public var request: MutationRequest

  /// Makes an element of a batch.
  public init(_ mutation: Mutation, _ request: MutationRequest) {
    self.mutation = mutation
    self.request = request
  }
}

/// All records of a scope.
public struct RemoteSnapshot<Record: Sendable>: Sendable {
  /// The records.
  ///
  /// If a stored record of the scope is missing here, the engine deletes it.
  public var records: [Record]
  /// The version of the records.
  public var version: SyncVersion

  /// Makes a snapshot.
  public init(_ records: [Record], version: SyncVersion) {
    self.records = records
    self.version = version
  }
}

extension RemoteSnapshot: Equatable where Record: Equatable {}

/// The changes in a scope.
public enum RemoteChanges<Record: Identifiable & Sendable>: Sendable where Record.ID: Sendable {
  /// New and changed records, identifiers of deleted records, and the version after these changes.
  ///
  /// `hasMore` means that the server already has later changes.
  case changes([Record], deleted: [Record.ID], version: SyncVersion, hasMore: Bool)
  /// The server no longer has the changes since the version, so a snapshot is needed.
  case snapshotNeeded
}

extension RemoteChanges: Equatable where Record: Equatable {}

/// The server's side of a synced collection.
///
/// Each call must end soon after its task is cancelled. ``RemoteFailure/init(_:)`` classifies the
/// errors: throw `RemoteFailure`, or errors that conform to ``RemoteFailureConvertible``.
public protocol RemoteSource<Mutation>: Sendable {
  /// The type of the mutations that are sent to the server; it determines the type of the records.
  associatedtype Mutation: CausewayData.Mutation

  /// Returns all records of a scope, and their version.
  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Mutation.Record>

  /// Returns the changes in a scope since a version.
  ///
  /// An incomplete response sets `hasMore`, and the engine asks for the rest.
  ///
  /// - Parameters:
  ///   - version: The stored version, which an earlier response has named.
  ///   - request: The account and the scope to read.
  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Mutation.Record>

  /// Applies a mutation once for each idempotency key, however often the same key arrives.
  func apply(
    _ mutation: Mutation, _ request: MutationRequest
  ) async throws -> MutationReceipt

  /// The most mutations that ``applyBatch(_:)`` takes; 1, the default, if the server has no batches.
  var batchLimit: Int { get }

  /// Applies mutations of one scope in order, each once for its idempotency key.
  ///
  /// The server stops at the first mutation that it can only apply later, and does not apply those
  /// after it. A mutation that it refuses does not stop it. If this throws, the outbox sends the
  /// mutations one by one when one of them may be the reason.
  ///
  /// - Parameter batch: At least two mutations, and at most ``batchLimit``, in order.
  /// - Returns: The result of each mutation in order. Mutations without a result are sent again.
  func applyBatch(
    _ batch: [BatchedMutation<Mutation>]
  ) async throws -> [Result<MutationReceipt, RemoteFailure>]

  /// A stream with an element for each possible change on the server; `nil` if there is none.
  ///
  /// Without a stream the engine polls. The stream should yield one element as soon as it is
  /// connected; then the engine reads earlier changes. When it ends or fails, the engine connects
  /// again.
  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>?
}

extension RemoteSource {
  /// No batches.
  public var batchLimit: Int { 1 }

  /// Applies the mutations one after the other.
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

  /// No hints.
  public func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? { nil }
}

/// The account and scope of a read; the response is stored only there.
public struct SyncRequest: Sendable, Hashable {
  /// The account whose data is read.
  public var account: AccountID
  /// The part of the data to read.
  public var scope: SyncScope

  /// Creates a request.
  public init(account: AccountID, scope: SyncScope) {
    self.account = account
    self.scope = scope
  }
}

/// The account, scope and key of a mutation that is sent.
public struct MutationRequest: Sendable, Equatable {
  /// The account that stored the mutation.
  public var account: AccountID
  /// The part of the data that it changes.
  public var scope: SyncScope
  /// The key that is the same for each attempt.
  public var key: IdempotencyKey
  /// The number of earlier attempts without success.
  public var attempts: Int

  /// Creates a request.
  public init(account: AccountID, scope: SyncScope, key: IdempotencyKey, attempts: Int) {
    self.account = account
    self.scope = scope
    self.key = key
    self.attempts = attempts
  }
}

/// A mutation of a batch.
public struct BatchedMutation<Mutation: CausewayData.Mutation>: Sendable {
  /// The mutation to apply.
  public var mutation: Mutation
  /// Its account, scope and key.
  public var request: MutationRequest

  /// Creates a part of a batch.
  public init(_ mutation: Mutation, _ request: MutationRequest) {
    self.mutation = mutation
    self.request = request
  }
}

/// All records of a scope.
public struct RemoteSnapshot<Record: Sendable>: Sendable {
  /// The records; a stored record of the scope that is not among them is deleted.
  public var records: [Record]
  /// The version of the records.
  public var version: SyncVersion

  /// Creates a snapshot.
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
  /// `hasMore` means that the server already has changes after that version.
  case changes([Record], deleted: [Record.ID], version: SyncVersion, hasMore: Bool)
  /// The server no longer has the changes since the version; a snapshot is needed.
  case snapshotNeeded
}

extension RemoteChanges: Equatable where Record: Equatable {}

/// The server's side of a synced collection.
///
/// Has to end soon after its task is cancelled. Errors are classed by ``RemoteFailure/init(_:)``:
/// throw `RemoteFailure`, or errors that conform to ``RemoteFailureConvertible``.
public protocol RemoteSource<Mutation>: Sendable {
  /// The mutations that are sent to the server; they determine the type of the records.
  associatedtype Mutation: CausewayData.Mutation

  /// All records of a scope, and their version.
  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Mutation.Record>

  /// What has changed in a scope since a version.
  ///
  /// An answer that is not complete sets `hasMore`, and the engine asks for the rest.
  ///
  /// - Parameters:
  ///   - version: The version that is stored; one that an earlier answer has named.
  ///   - request: The account and the scope that are asked for.
  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Mutation.Record>

  /// Applies a mutation, once for each idempotency key however often it comes.
  func apply(
    _ mutation: Mutation, _ request: MutationRequest
  ) async throws -> MutationReceipt

  /// An element for each time that there may be changes, such as an event of a stream; `nil` if the
  /// server has no such stream, and the engine has to poll.
  ///
  /// It should yield one element as soon as it is connected, so that the engine reads earlier
  /// changes. When it ends or fails, the engine connects again.
  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>?
}

extension RemoteSource {
  /// No hints.
  public func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? { nil }
}

/// The account and scope of a read; the response is stored only there.
public struct SyncRequest: Sendable, Equatable {
  /// The account that asks.
  public var account: AccountID
  /// The part of the data that is asked for.
  public var scope: SyncScope

  /// Makes a request.
  public init(account: AccountID, scope: SyncScope) {
    self.account = account
    self.scope = scope
  }
}

/// The account, scope and key of a mutation that is sent.
public struct MutationRequest: Sendable, Equatable {
  /// Whose mutation it is.
  public var account: AccountID
  /// The part of the data that it changes.
  public var scope: SyncScope
  /// The key that is the same for each attempt.
  public var key: IdempotencyKey
  /// How often it was sent before without success.
  public var attempts: Int

  /// Makes a request.
  public init(account: AccountID, scope: SyncScope, key: IdempotencyKey, attempts: Int) {
    self.account = account
    self.scope = scope
    self.key = key
    self.attempts = attempts
  }
}

/// All records of a scope.
public struct RemoteSnapshot<Record: Sendable>: Sendable {
  /// The records; what is stored in the scope and not among them is deleted.
  public var records: [Record]
  /// The version of which they are.
  public var version: SyncVersion

  /// Makes a snapshot.
  public init(_ records: [Record], version: SyncVersion) {
    self.records = records
    self.version = version
  }
}

extension RemoteSnapshot: Equatable where Record: Equatable {}

/// What has changed in a scope.
public enum RemoteChanges<Record: Identifiable & Sendable>: Sendable where Record.ID: Sendable {
  /// New and changed records, those that are gone, and the version that they lead to.
  ///
  /// With `hasMore` there are changes after that version already.
  case changes([Record], deleted: [Record.ID], version: SyncVersion, hasMore: Bool)
  /// The server does not know any more what has changed since then; a snapshot is needed.
  case snapshotNeeded
}

extension RemoteChanges: Equatable where Record: Equatable {}

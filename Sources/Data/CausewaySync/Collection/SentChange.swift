import CausewayBasics
public import CausewayNetwork

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
  /// A sentence for people; nil if the change was applied.
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

public import CausewayData

/// The connection of this device to the server, and the changes that wait for it.
public protocol ConnectionServiceProtocol: Sendable {
  /// Yields the state, now and after each change.
  func states() -> AsyncStream<ConnectionState>

  /// Connects and sends again without waiting for the next retry.
  func retry() async

  /// Sets aside a change that the server fails to accept, so the other changes are sent.
  func setAside(_ key: String) async throws

  /// Sends a refused change again.
  func resend(_ key: String) async throws

  /// Discards a refused change.
  func discard(_ key: String) async throws
}

extension ConnectionServiceProtocol {
  /// Does nothing, because only a device has changes that wait.
  public func setAside(_ key: String) async throws {}
}

/// The state of the connection.
public struct ConnectionState: Equatable, Sendable {
  /// The phase of the synchronisation.
  public var phase: SyncStatus.Phase
  /// The number of changes that the server does not have yet.
  public var pending: Int
  /// The changes that the server has refused.
  public var refused: [RefusedChange]
  /// The first change that the server has failed to accept several times.
  public var stuck: StuckChange?

  /// Makes a state from its parts.
  public init(
    phase: SyncStatus.Phase = .idle, pending: Int = 0, refused: [RefusedChange] = []
  ) {
    (self.phase, self.pending, self.refused) = (phase, pending, refused)
  }
}

/// A change that the server always answers with an error.
public struct StuckChange: Identifiable, Equatable, Sendable, Encodable {
  /// The key of the change.
  public var id: String
  /// The kind of change, such as `Join`.
  public var kind: String

  /// Makes a stuck change.
  public init(id: String, kind: String) {
    (self.id, self.kind) = (id, kind)
  }
}

/// A change that the server has refused.
public struct RefusedChange: Identifiable, Equatable, Sendable, Encodable {
  /// The key of the change.
  public var id: String
  /// The kind of change, such as `Join`.
  public var kind: String
  /// The reason as a sentence.
  public var reason: String

  /// Makes a refused change.
  public init(id: String, kind: String, reason: String) {
    (self.id, self.kind, self.reason) = (id, kind, reason)
  }
}

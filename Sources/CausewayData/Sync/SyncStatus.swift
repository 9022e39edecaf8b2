/// What an engine is doing, and what is pending.
public struct SyncStatus: Sendable, Equatable {
  /// What an engine is doing.
  public enum Phase: String, Sendable {
    /// Nothing: it was not started, or no account is signed in.
    case idle
    /// It reads from the server.
    case syncing
    /// The stored data is the newest that the server has reported.
    case upToDate
    /// The server was not reached, or failed; the engine waits before it reads again.
    case offline
  }

  /// What the engine is doing.
  public var phase = Phase.idle
  /// The mutations of its scope that the stored data of the server does not show.
  public var pendingCount = 0
  /// The last failure of a read or of a mutation, until the next success of its kind.
  public var lastError: RemoteFailure?

  /// Makes a status, as tests do.
  public init(phase: Phase = .idle, pendingCount: Int = 0, lastError: RemoteFailure? = nil) {
    self.phase = phase
    self.pendingCount = pendingCount
    self.lastError = lastError
  }
}

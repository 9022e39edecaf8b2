public import CausewayBasics

/// The activity of an engine, and the number of pending mutations.
public struct SyncStatus: Sendable, Equatable {
  /// The activity of an engine.
  public enum Phase: String, Sendable {
    /// The engine does nothing: it was not started, or no account is signed in.
    case idle
    /// The engine reads from the server.
    case syncing
    /// The last read succeeded, so the stored data is the newest that the server has sent.
    case upToDate
    /// The server could not be reached, or it failed; the engine waits before it reads again.
    case offline
  }

  /// The activity of the engine.
  public var phase = Phase.idle
  /// The number of mutations of the scope that the stored server data does not contain.
  public var pendingCount = 0
  /// The last failure of a read or of a mutation; removed by the next success of the same kind.
  public var lastError: RemoteFailure?

  /// Makes a status, for example for tests.
  public init(phase: Phase = .idle, pendingCount: Int = 0, lastError: RemoteFailure? = nil) {
    self.phase = phase
    self.pendingCount = pendingCount
    self.lastError = lastError
  }
}

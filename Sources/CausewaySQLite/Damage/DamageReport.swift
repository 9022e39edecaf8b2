public import CausewayData

extension SQLiteService {
  /// What a service does when its file turns out to be damaged.
  public enum DamageResponse: Sendable {
    /// The error is thrown, and the file stays as it is: for rows that are nowhere else.
    case fail
    /// The file is set aside and an empty one takes its place: for a cache.
    ///
    /// What met the damage throws; what comes later uses the new file. Live queries go on with its
    /// rows.
    case startAnew
  }

  /// What a service has found out about a damaged file, and done about it.
  public struct DamageReport: Sendable, Hashable {
    /// The path of the service's file.
    public var path: String
    /// How the damage showed.
    public var error: PersistenceError
    /// Where the damaged file is now; `nil` if it is where it was, or if another process has moved
    /// it away.
    public var setAsideAs: String?
  }
}

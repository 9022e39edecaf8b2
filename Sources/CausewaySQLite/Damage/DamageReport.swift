public import CausewayData

extension SQLiteService {
  /// What a service does when its file turns out to be damaged.
  public enum DamageResponse: Sendable {
    /// The error is thrown, and the file stays unchanged: for rows that exist nowhere else.
    case fail
    /// The file is set aside and an empty one takes its place: for a cache.
    ///
    /// The operation that met the damage throws. Later ones use the new file, and live queries
    /// continue with its rows.
    case startAnew
  }

  /// What a service found out about a damaged file, and what it did.
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

public import CausewayData

extension SQLiteService {
  /// How a service responds to a damaged file.
  public enum DamageResponse: Sendable {
    /// Throws the error and keeps the file unchanged, for rows that exist nowhere else.
    case fail
    /// Sets the file aside and creates an empty file, for a cache.
    ///
    /// The operation that detected the damage throws. Later operations use the new file, and live
    /// queries continue with its rows.
    case startAnew
  }

  /// The damage of a file, and the response of the service.
  public struct DamageReport: Sendable, Hashable {
    /// The path of the service's file.
    public var path: String
    /// The error that showed the damage.
    public var error: PersistenceError
    /// The new path of the damaged file; `nil` if it was not moved, or if another process moved it.
    public var setAsideAs: String?
  }
}

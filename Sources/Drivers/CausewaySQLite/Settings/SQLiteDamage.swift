public import CausewayDatabase

/// How a service responds to a damaged file.
public enum SQLiteDamageResponse: Sendable {
  /// Throws the error and keeps the file unchanged, for rows that exist nowhere else.
  case fail
  /// Sets the file aside and creates an empty file, for a cache.
  ///
  /// The operation that detects the damage throws. Later operations use the new file, and live
  /// queries continue with the rows of the new file.
  case startAnew
}

/// The damage of a file, and how the service responded.
public struct SQLiteDamageReport: Sendable, Hashable {
  /// The path of the service's file.
  public var path: String
  /// The error that showed the damage.
  public var error: PersistenceError
  /// The new path of the damaged file; `nil` if it was not moved, or if another process moved it.
  public var setAsideAs: String?
}

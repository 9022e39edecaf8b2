public import CausewayDatabase

/// The damage of a file, and how the service responded.
public struct SQLiteDamageReport: Sendable, Hashable {
  /// The path of the service's file.
  public var path: String
  /// The error that showed the damage.
  public var error: PersistenceError
  /// The new path of the damaged file; `nil` if it was not moved, or if another process moved it.
  public var setAsideAs: String?
}

package import CausewayWeb

/// What a backend reports to the people who run it, without names and secrets.
public enum BackendEvent: Sendable, Equatable, CustomStringConvertible {
  /// The database cannot be reached, for this reason.
  case databaseLost(reason: String)
  /// The database answers again.
  case databaseBack
  /// An attempt to sign in was refused, with this code in the answer.
  case signInRefused(network: String, code: String)

  /// The level of its line in a log.
  package var level: LogLevel { if case .databaseLost = self { .error } else { .info } }

  /// A line for a log.
  public var description: String {
    switch self {
    case .databaseLost(let reason): "The database is lost: \(reason)"
    case .databaseBack: "The database is back."
    case .signInRefused(let network, let code): "A sign-in from \(network) was refused: \(code)"
    }
  }
}

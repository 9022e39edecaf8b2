/// Why a read or a write has failed.
public enum DataError: Error, Sendable {
  /// The server or the way to it.
  case network(NetworkError)
  /// The database.
  case persistence(PersistenceError)
  /// No account is signed in, or the session ended during the operation; nothing was stored.
  case session(SessionError)
  /// The session has no valid token: the server refused it, or the token could not be loaded.
  case authentication(AuthSessionError)
  /// Nothing is stored, and the policy leaves the network alone.
  case notStored
  /// Every answer was out of date before it could be stored, because of writes.
  case overtaken
  /// The task was cancelled.
  case cancelled
  /// What a closure of the operation has thrown.
  case other(any Error)

  /// Sorts an error.
  public init(_ error: any Error) {
    switch error {
    case let error as DataError: self = error
    case let error as NetworkError: self = .network(error)
    case let error as PersistenceError: self = .persistence(error)
    case let error as SessionError: self = .session(error)
    case AuthSessionError.signedOut: self = .session(.signedOut)
    case let error as AuthSessionError: self = .authentication(error)
    case is CancellationError: self = .cancelled
    default: self = .other(error)
    }
  }
}

extension DataError: CustomStringConvertible {
  /// What happened, and how to fix it.
  public var description: String {
    switch self {
    case .network(let error): error.description
    case .persistence(let error): error.description
    case .session(let error): error.description
    case .authentication(let error): error.description
    case .notStored: "Nothing is stored yet. Read with a policy that may ask the network."
    case .overtaken: "The data changes faster than it can be read. Try again."
    case .cancelled: "The task was cancelled."
    case .other(let error): "\(error)"
    }
  }
}

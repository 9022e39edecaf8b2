public import CausewayBasics
public import CausewayDatabase
public import CausewayNetwork
public import Foundation

/// The error of a read or a write.
public enum DataError: Error, Sendable {
  /// The server or the connection failed.
  case network(NetworkError)
  /// The database failed.
  case persistence(PersistenceError)
  /// No account is signed in, or the session ended during the operation; nothing was stored.
  case session(SessionError)
  /// The session has no valid token: the server refused the token, or it could not be loaded.
  case authentication(AuthSessionError)
  /// Nothing is stored, and the policy does not use the network.
  case notStored
  /// Writes made each response out of date before it could be stored.
  case overtaken
  /// The task was cancelled.
  case cancelled
  /// A closure of the operation threw an error.
  case other(any Error)

  /// Classifies an error.
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
  /// A description of the error, with a remedy.
  public var description: String {
    switch self {
    case .network(let error): error.description
    case .persistence(let error): error.description
    case .session(let error): error.description
    case .authentication(let error): error.description
    case .notStored: "Nothing is stored yet. Read with a policy that uses the network."
    case .overtaken: "The data changes faster than it can be read. Try again."
    case .cancelled: "The task was cancelled."
    case .other(let error): "\(error)"
    }
  }
}

extension DataError: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch self {
    case .network(let error): error.errorDescription
    case .persistence(let error): error.errorDescription
    case .session(let error): error.errorDescription
    case .authentication(let error): error.errorDescription
    case .notStored: "There is nothing to show yet. Try again when you are connected."
    case .overtaken: "The data is changing. Try again."
    case .cancelled: "This was cancelled."
    case .other(let error): error.localizedDescription
    }
  }
}

/// What kind of failure an error of a remote source is, as far as trying again is concerned.
public struct RemoteFailure: Error, Sendable, Hashable {
  /// The classes of failures that a ``RetryTable`` tells apart.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// There was no connection: the request has not reached the server.
    case unreachable
    /// No answer came in time: the server may have done what it was asked.
    case timedOut
    /// The server asks to come back later.
    case busy
    /// The server failed at something that it may be able to do later.
    case serverFault
    /// The server does not accept the token; the user may have to sign in again.
    case unauthorized
    /// The server has understood and refuses.
    case rejected
    /// The mutation does not fit what the server has by now.
    case conflict
    /// The answer was no answer: broken, cut off, or of another shape.
    case garbled
    /// The mutation cannot be decoded or sent by this version of the app.
    case unsendable
    /// The mutation was not sent, because a mutation that it requires has failed for good.
    case dependencyFailed
    /// Any other error.
    case unknown
  }

  /// The class of the failure.
  public var kind: Kind
  /// What happened, in words.
  public var message: String
  /// When the server wants to be asked again.
  public var retryAfter: Duration?

  /// Makes a failure.
  public init(_ kind: Kind, _ message: String = "", retryAfter: Duration? = nil) {
    self.kind = kind
    self.message = message
    self.retryAfter = retryAfter
  }
}

extension RemoteFailure: CustomStringConvertible {
  /// The class and the message.
  public var description: String {
    message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)"
  }
}

/// An error that knows whether it makes sense to try again.
public protocol RemoteFailureConvertible: Error {
  /// The error as a ``RetryTable`` sees it.
  var remoteFailure: RemoteFailure { get }
}

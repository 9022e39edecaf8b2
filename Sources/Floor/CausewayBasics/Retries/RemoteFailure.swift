public import Foundation

/// An error of a remote source, with the class that decides about a retry.
public struct RemoteFailure: Error, Sendable, Hashable {
  /// The classes of failures that a ``RetryTable`` distinguishes.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// There was no connection.
    ///
    /// The request has not reached the server.
    case unreachable
    /// No answer arrived in time.
    ///
    /// The server may have processed the request.
    case timedOut
    /// The server asks to retry later.
    case busy
    /// The server has failed, and may succeed later.
    case serverFault
    /// The server does not accept the token; the user may have to sign in again.
    case unauthorized
    /// The server has understood the request and refuses it.
    case rejected
    /// The mutation conflicts with the current data of the server.
    case conflict
    /// The answer could not be read: it was broken, truncated, or of another format.
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
  /// A description of the failure.
  public var message: String
  /// The time that the server asks to wait before the next attempt.
  public var retryAfter: Duration?
  /// Whether the attempt has completed a part of the work, such as a part of a file.
  ///
  /// Such a failure does not count towards a limit, and the next wait is the shortest one.
  package var madeProgress = false
  /// Whether the server could not be reached.
  ///
  /// The wait for the next attempt then ends as soon as the server answers any request.
  package var isLoss: Bool { kind == .unreachable || kind == .timedOut }

  /// Makes a failure.
  public init(_ kind: Kind, _ message: String = "", retryAfter: Duration? = nil) {
    self.kind = kind
    self.message = message
    self.retryAfter = retryAfter
  }
}

extension RemoteFailure: CustomStringConvertible {
  /// The class and the description.
  public var description: String {
    message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)"
  }
}

/// An error that can be classified for a retry.
package protocol RemoteFailureConvertible: Error {
  /// The failure that a ``RetryTable`` gets for this error.
  var remoteFailure: RemoteFailure { get }
}

/// An error of a component that has already repeated the request as often as its policy allows.
///
/// A caller must not repeat the request again, because the repetitions would multiply.
package protocol RetriedFailure: Error {}

extension RemoteFailure: LocalizedError {
  /// A sentence for people.
  public var errorDescription: String? {
    switch kind {
    case .unreachable, .timedOut: "The server is out of reach. Try again when you are connected."
    case .busy, .serverFault: "The server has a problem. Try again later."
    case .unauthorized: "Sign in again."
    case .rejected: "The server refused this change."
    case .conflict: "This was changed by somebody else. Load it again."
    case .garbled: "The answer of the server cannot be read. Check the network, or update the app."
    case .unsendable: "This version of the app cannot send this change. Update the app."
    case .dependencyFailed: "A change that this one needs was refused."
    case .unknown: "This could not be sent. Try again."
    }
  }
}

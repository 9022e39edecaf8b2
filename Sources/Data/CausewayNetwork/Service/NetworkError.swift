/// An error of a network request, with a remedy.
///
/// It may be logged. It contains no user, no query values, no header fields, and no token of the
/// session.
public struct NetworkError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The request was not sent, because its path, header fields or file are invalid.
    case invalidRequest
    /// There is no network.
    case notConnected
    /// The server could not be reached: the host is unknown or refused the connection.
    case cannotConnect
    /// The connection ended before the response was complete.
    case connectionLost
    /// There was no activity for too long, or the whole call took longer than its deadline.
    case timedOut
    /// There is no secure connection, for example because the certificate is invalid.
    case insecure
    /// The server redirected the request too often, or to a forbidden address.
    case redirect
    /// The status of the response is an error.
    case status
    /// The body or the header fields are larger than the limit.
    case tooLarge
    /// The response has an unexpected media type, or does not come from the service.
    case contentType
    /// The response violates HTTP, or its body cannot be unpacked.
    case malformed
    /// The body of the request could not be encoded.
    case encoding
    /// The body of the response could not be decoded as its type.
    case decoding
    /// No account is signed in, or the server no longer accepts the session.
    case notSignedIn
    /// The session is still current, but its token could not be loaded or refreshed.
    case tokenUnavailable
    /// An event stream exceeds a limit.
    case eventStream
    /// A file could not be read or written.
    case file
    /// The service was closed.
    case closed
    /// Any other failure; see `message`.
    case other
  }

  /// The kind of failure.
  public var kind: Kind
  /// A description of the failure.
  public var message: String
  /// The method of the request.
  public var method: HTTPMethod?
  /// The address, without the user and without the values of the query.
  public var url: String?
  /// The status of the response, if there was one.
  public var status: Int?
  /// The beginning of the response's body, at most 512 characters.
  public var bodyExcerpt: String?
  /// The time that the server asks to wait before the next attempt.
  public var retryAfter: Duration?
  /// The number of times that the request was sent.
  public var attempts: Int
  /// Whether the response refuses the token of a refresh; `nil` if the driver has not decided it.
  ///
  /// An error of a request for a token has no `bodyExcerpt` that could show this.
  package var refusesToken: Bool?
  /// The header fields of a response with status 304, which describe the cached value.
  package var confirmation = NetworkHeaders()

  /// Makes an error.
  public init(
    _ kind: Kind, message: String, method: HTTPMethod? = nil, url: String? = nil,
    status: Int? = nil, bodyExcerpt: String? = nil, retryAfter: Duration? = nil, attempts: Int = 0
  ) {
    self.kind = kind
    self.message = message
    self.method = method
    self.url = url
    self.status = status
    self.bodyExcerpt = bodyExcerpt
    self.retryAfter = retryAfter
    self.attempts = attempts
  }
}

extension NetworkError: CustomStringConvertible {
  /// The request, the message, the response, and the remedy.
  public var description: String {
    var text = [method?.rawValue, url].compactMap(\.self).joined(separator: " ")
    text += text.isEmpty ? message : ": \(message)"
    if attempts > 1 { text += " (after \(attempts) attempts)" }
    if let bodyExcerpt, !bodyExcerpt.isEmpty { text += ". The server wrote: \(bodyExcerpt)" }
    return "\(text). \(remedy)"
  }
}

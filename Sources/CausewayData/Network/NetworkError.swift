/// What went wrong with a request, and what to do about it.
///
/// Can be logged: the address has no user and no values of the query, header fields are left out,
/// and the token of the session does not occur in it.
public struct NetworkError: Error, Hashable, Sendable {
  /// The sort of failure, to decide by.
  public enum Kind: Hashable, Sendable {
    /// The request was not sent, because its path, header fields or file cannot be sent.
    case invalidRequest
    /// There is no network.
    case notConnected
    /// The server was not reached: unknown host or refused connection.
    case cannotConnect
    /// The connection ended before the whole answer was there.
    case connectionLost
    /// Nothing moved for too long, or the whole call took too long.
    case timedOut
    /// There is no safe connection, for example because the certificate is not valid.
    case insecure
    /// The server sent the request on too often, or to where it must not go.
    case redirect
    /// The server answered with a status that says that it failed.
    case status
    /// The body, or what comes before it, is larger than the limit.
    case tooLarge
    /// The answer has another media type than was asked for, or does not come from the service.
    case contentType
    /// The answer breaks the rules of HTTP, or its body cannot be unpacked.
    case malformed
    /// The body to send could not be encoded.
    case encoding
    /// The body of the answer does not fit the type that it should become.
    case decoding
    /// No account is signed in, or the server no longer accepts the session.
    case notSignedIn
    /// The session is still current, but its token could not be loaded or refreshed this time.
    case tokenUnavailable
    /// A stream of events breaks a limit.
    case eventStream
    /// A file could not be read or written.
    case file
    /// The service was closed.
    case closed
    /// Anything else; see `message`.
    case other
  }

  /// The sort of failure.
  public var kind: Kind
  /// What happened, in words.
  public var message: String
  /// The method of the request.
  public var method: NetworkRequest.Method?
  /// The address, without a user and without the values of the query.
  public var url: String?
  /// The status that the server answered with, if it did.
  public var status: Int?
  /// The beginning of the body that the server answered with, at most 512 characters.
  public var bodyExcerpt: String?
  /// How long the server asks to wait before the next attempt.
  public var retryAfter: Duration?
  /// How often the request was sent.
  public var attempts: Int

  /// Makes an error.
  public init(
    _ kind: Kind, message: String, method: NetworkRequest.Method? = nil, url: String? = nil,
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
  /// The request, the message, what the server answered, and the remedy.
  public var description: String {
    var text = [method?.rawValue, url].compactMap(\.self).joined(separator: " ")
    text += text.isEmpty ? message : ": \(message)"
    if attempts > 1 { text += " (after \(attempts) attempts)" }
    if let bodyExcerpt, !bodyExcerpt.isEmpty { text += ". The server wrote: \(bodyExcerpt)" }
    return "\(text). \(remedy)"
  }
}

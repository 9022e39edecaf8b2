public import CausewayBasics

/// One request to a network service, without the service's address and without credentials.
///
/// ```swift
/// var request = NetworkRequest(.post, "/activities", body: .bytes(bytes, type: "application/json"))
/// request.idempotencyKey = key  // makes it safe to send again after a failure
/// ```
public struct NetworkRequest: Sendable {
  /// A name and a value of the query.
  public struct QueryItem: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value; errors do not contain it.
    public var value: String

    /// Makes an item.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The body of a request.
  public enum Body: Sendable, Hashable {
    /// No body.
    case none
    /// Bytes, and their media type.
    case bytes([UInt8], type: String)
    /// The content of the file at a path, and its media type.
    ///
    /// The file is read while it is sent.
    case file(String, type: String)
  }

  /// The method.
  public var method: HTTPMethod
  /// The path of the resource, below the service's address.
  public var path: NetworkPath
  /// The query items, in order.
  public var query: [QueryItem]
  /// Header fields, which take precedence over the service's.
  public var headers: NetworkHeaders
  /// The body.
  public var body: Body
  /// Identifies the request, so the server applies it only once.
  ///
  /// It is sent as `Idempotency-Key`.
  ///
  /// With a key, a request may be sent again after a failure, whatever its method.
  public var idempotencyKey: IdempotencyKey?
  /// Whether the session's token is sent with the request.
  ///
  /// Default: yes, if the service has a session.
  public var isAuthorized = true
  /// Whether the response may hold a secret, such as a token.
  ///
  /// Errors then omit its body.
  ///
  /// Default: true if ``isAuthorized`` is false, because a request for a token is sent without a
  /// token. The default does not depend on whether the service has a session. An ``Endpoint`` whose
  /// response is an ``AuthToken`` always omits the body. Set this property for other types that
  /// contain a token.
  public var isAnswerSecret: Bool {
    get { answerSecrecy ?? !isAuthorized }
    set { answerSecrecy = newValue }
  }
  private var answerSecrecy: Bool?
  /// The name of a header field that every response of the service has; `nil` if there is none.
  ///
  /// If a response lacks the field, the request fails with an error of kind `contentType`. Without
  /// this property, a request that changes something fails if the response is a web page. This
  /// property also detects proxies that respond with an empty body or with their own JSON.
  public var answerMark: String?
  /// The longest time without activity; `nil` for the service's setting.
  public var timeout: Duration?
  /// The largest accepted body, in bytes; `nil` for the service's setting.
  public var bodyLimit: Int?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path of the resource, below the service's address.
  ///   - query: The query items, in order.
  ///   - headers: Header fields, in addition to those of the service.
  ///   - body: The body.
  ///   - idempotencyKey: Identifies the request, so the server applies it only once.
  public init(
    _ method: HTTPMethod,
    _ path: NetworkPath,
    query: [QueryItem] = [],
    headers: NetworkHeaders = [:],
    body: Body = .none,
    idempotencyKey: IdempotencyKey? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.idempotencyKey = idempotencyKey
  }

  /// Whether the request may be sent again if its outcome is unknown.
  public var isRepeatable: Bool { method.isIdempotent || idempotencyKey != nil }
}

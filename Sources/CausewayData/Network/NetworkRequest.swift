/// One request to a network service, without the service's address and without credentials.
///
/// ```swift
/// var request = NetworkRequest(.post, "/activities", body: .bytes(bytes, type: "application/json"))
/// request.idempotencyKey = key  // makes it safe to send again after a failure
/// ```
public struct NetworkRequest: Sendable {
  /// What the request does to the resource.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// Reads.
    case get = "GET"
    /// Reads the header fields alone.
    case head = "HEAD"
    /// Creates, or does anything else.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Changes a part.
    case patch = "PATCH"
    /// Deletes.
    case delete = "DELETE"
    /// Asks what is allowed.
    case options = "OPTIONS"

    /// Whether it only reads (RFC 9110, 9.2.1).
    package var isSafe: Bool {
      switch self {
      case .get, .head, .options: true
      case .post, .put, .patch, .delete: false
      }
    }

    /// Whether sending it twice has the same effect as sending it once.
    public var isIdempotent: Bool {
      switch self {
      case .get, .head, .put, .delete, .options: true
      case .post, .patch: false
      }
    }
  }

  /// One name and value of the query.
  public struct QueryItem: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value; never shown in errors.
    public var value: String

    /// Makes an item.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What is sent.
  public enum Body: Sendable, Hashable {
    /// Nothing.
    case none
    /// Bytes, and their media type.
    case bytes([UInt8], type: String)
    /// The content of the file at a path, and its media type. It is read while it is sent.
    case file(String, type: String)
  }

  /// What the request does to the resource.
  public var method: Method
  /// Where it goes, below the service's address.
  public var path: NetworkPath
  /// The query, in order.
  public var query: [QueryItem]
  /// Header fields; they take precedence over the service's own.
  public var headers: NetworkHeaders
  /// What is sent.
  public var body: Body
  /// Identifies the request, so that the server applies it once; sent as `Idempotency-Key`.
  ///
  /// With a key every method may be sent again after a failure.
  public var idempotencyKey: IdempotencyKey?
  /// Whether the session's token goes with it.
  ///
  /// Default: yes, if the service has a session.
  public var isAuthorized = true
  /// Whether the answer may hold a secret, such as a token, so that errors leave its body out.
  ///
  /// Default: for a request that says it goes without the session's token, because those that ask
  /// for one do; so does not one to a service that has no session. An ``Endpoint`` that answers
  /// with an ``AuthToken`` keeps it to itself in any case; set this for other types with a token in
  /// them.
  public var isAnswerSecret: Bool {
    get { answerSecrecy ?? !isAuthorized }
    set { answerSecrecy = newValue }
  }
  private var answerSecrecy: Bool?
  /// The name of a header field that every answer of the service has; `nil` if there is none.
  ///
  /// An answer without the field fails with an error of kind `contentType`. Without a mark, a
  /// request that changes something fails when the answer is a web page. A mark also finds proxies
  /// that answer with an empty body or with JSON of their own.
  public var answerMark: String?
  /// How long nothing may be sent or received before it fails, `nil` for the service's setting.
  public var timeout: Duration?
  /// The largest body that is accepted, in bytes, `nil` for the service's setting.
  public var bodyLimit: Int?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - method: What it does to the resource.
  ///   - path: Where it goes, below the service's address.
  ///   - query: The query, in order.
  ///   - headers: Header fields besides those of the service.
  ///   - body: What is sent.
  ///   - idempotencyKey: Identifies the request, so that the server applies it once.
  public init(
    _ method: Method,
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

  /// Whether it may be sent again when its outcome is unknown.
  public var isRepeatable: Bool { method.isIdempotent || idempotencyKey != nil }
}

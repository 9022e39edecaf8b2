/// The answer of a route.
///
/// The server adds security headers and `Cache-Control: no-store`, unless the response sets the
/// same field.
public struct Response: Sendable {
  enum Body: Sendable {
    case empty
    case bytes([UInt8])
    case file(OpenFile, offset: UInt64, length: UInt64)
    case stream(any StreamSource)
  }

  /// The status.
  public var status: HTTPStatus
  /// The header fields.
  public var headers: HTTPHeaders
  var body: Body

  init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with the given bytes.
  public init(
    _ status: HTTPStatus, type: String, bytes: some Sequence<UInt8>, headers: HTTPHeaders = [:]
  ) {
    self.init(status, headers: headers, body: .bytes(Array(bytes)))
    self.headers["Content-Type"] = type
  }

  /// A response without a body.
  public static func empty(_ status: HTTPStatus = .noContent, headers: HTTPHeaders = [:])
    -> Response
  {
    Response(status, headers: headers, body: .empty)
  }

  /// Plain text in UTF-8.
  public static func text(_ text: String, status: HTTPStatus = .ok) -> Response {
    Response(status, type: "text/plain; charset=utf-8", bytes: text.utf8)
  }

  /// A page.
  ///
  /// The text is sent unchanged, so escape inserted values (``HTML/escape(_:)``).
  public static func html(_ text: String, status: HTTPStatus = .ok) -> Response {
    Response(status, type: "text/html; charset=utf-8", bytes: text.utf8)
  }

  /// A value as JSON.
  ///
  /// Dates are ISO 8601; nil members are left out. Throws the error of the value's `encode(to:)`.
  /// Complexity: O(n) in the size of the value.
  public static func json(
    _ value: some Encodable, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]
  ) throws -> Response {
    Response(
      status, type: "application/json", bytes: try JSONValue(encoding: value).serialized(),
      headers: headers)
  }

  /// Redirects the browser to another address: 302 for links, 303 after a posted form.
  public static func redirect(to location: String, status: HTTPStatus = .found) -> Response {
    Response(status, headers: ["Location": location], body: .empty)
  }
}

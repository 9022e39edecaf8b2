/// A response's status code.
public struct HTTPStatus: Sendable, Hashable {
  /// The three digits.
  public let code: Int

  /// A status by its number, for statuses without a name here.
  public init(_ code: Int) { self.code = code }

  /// 200: the request succeeded.
  public static let ok = HTTPStatus(200)
  /// 201: a resource was created.
  public static let created = HTTPStatus(201)
  /// 204: the request succeeded, and the response has no body.
  public static let noContent = HTTPStatus(204)
  /// 206: the requested range of the content.
  package static let partialContent = HTTPStatus(206)
  /// 302: the resource is at another address for now.
  public static let found = HTTPStatus(302)
  /// 303: the answer is at another address.
  public static let seeOther = HTTPStatus(303)
  /// 304: the client's copy is current.
  public static let notModified = HTTPStatus(304)
  /// 400: the request is malformed.
  public static let badRequest = HTTPStatus(400)
  /// 401: no account is signed in.
  public static let unauthorized = HTTPStatus(401)
  /// 403: the request is not allowed.
  public static let forbidden = HTTPStatus(403)
  /// 404: there is no resource at this address.
  public static let notFound = HTTPStatus(404)
  /// 405: the path does not answer that method.
  package static let methodNotAllowed = HTTPStatus(405)
  /// 409: the request conflicts with the current state.
  public static let conflict = HTTPStatus(409)
  /// 410: the resource was removed.
  public static let gone = HTTPStatus(410)
  /// 413: the body is too large.
  package static let contentTooLarge = HTTPStatus(413)
  /// 415: the server does not read bodies of that type.
  public static let unsupportedMediaType = HTTPStatus(415)
  /// 416: the range lies beyond the end.
  package static let rangeNotSatisfiable = HTTPStatus(416)
  /// 421: the server does not answer for that host.
  package static let misdirectedRequest = HTTPStatus(421)
  /// 422: the body is well-formed, but its content is invalid.
  public static let unprocessableContent = HTTPStatus(422)
  /// 429: the client sent too many requests.
  public static let tooManyRequests = HTTPStatus(429)
  /// 431: the header fields are too large.
  package static let headerFieldsTooLarge = HTTPStatus(431)
  /// 500: the server failed.
  package static let internalServerError = HTTPStatus(500)
  /// 503: the server cannot answer at the moment.
  public static let serviceUnavailable = HTTPStatus(503)
}

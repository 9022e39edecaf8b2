/// A response's status code.
public struct HTTPStatus: Sendable, Hashable {
  /// The three digits.
  public let code: Int

  /// A status by its number, for those without a name here.
  public init(_ code: Int) { self.code = code }

  /// 200: it worked.
  public static let ok = HTTPStatus(200)
  /// 201: something was made.
  public static let created = HTTPStatus(201)
  /// 204: it worked, and there is nothing to say.
  public static let noContent = HTTPStatus(204)
  /// 206: a part of it, as asked for.
  public static let partialContent = HTTPStatus(206)
  /// 302: it is elsewhere for now.
  public static let found = HTTPStatus(302)
  /// 303: the answer is elsewhere.
  public static let seeOther = HTTPStatus(303)
  /// 304: what the client has is current.
  public static let notModified = HTTPStatus(304)
  /// 400: the request is malformed.
  public static let badRequest = HTTPStatus(400)
  /// 401: no account is signed in.
  public static let unauthorized = HTTPStatus(401)
  /// 403: not allowed.
  public static let forbidden = HTTPStatus(403)
  /// 404: nothing is there.
  public static let notFound = HTTPStatus(404)
  /// 405: the path does not answer that method.
  public static let methodNotAllowed = HTTPStatus(405)
  /// 409: it does not fit the present state.
  public static let conflict = HTTPStatus(409)
  /// 410: it was there once.
  public static let gone = HTTPStatus(410)
  /// 413: the body is too large.
  public static let contentTooLarge = HTTPStatus(413)
  /// 415: the body is of a type that is not read.
  public static let unsupportedMediaType = HTTPStatus(415)
  /// 416: the range lies beyond the end.
  public static let rangeNotSatisfiable = HTTPStatus(416)
  /// 421: the server does not answer for that host.
  public static let misdirectedRequest = HTTPStatus(421)
  /// 422: the content cannot be used.
  public static let unprocessableContent = HTTPStatus(422)
  /// 429: too many requests in that time.
  public static let tooManyRequests = HTTPStatus(429)
  /// 431: the header fields are too large.
  public static let headerFieldsTooLarge = HTTPStatus(431)
  /// 500: the server failed.
  public static let internalServerError = HTTPStatus(500)
  /// 503: the server cannot answer for now.
  public static let serviceUnavailable = HTTPStatus(503)
}

/// A response's status code.
public struct HTTPStatus: Sendable, Hashable {
  /// The three digits.
  public let code: Int

  /// A status by its number, for those without a name here.
  public init(_ code: Int) { self.code = code }

  /// 200
  public static let ok = HTTPStatus(200)
  /// 201
  public static let created = HTTPStatus(201)
  /// 204
  public static let noContent = HTTPStatus(204)
  /// 206
  public static let partialContent = HTTPStatus(206)
  /// 302
  public static let found = HTTPStatus(302)
  /// 303
  public static let seeOther = HTTPStatus(303)
  /// 304
  public static let notModified = HTTPStatus(304)
  /// 400
  public static let badRequest = HTTPStatus(400)
  /// 401
  public static let unauthorized = HTTPStatus(401)
  /// 403
  public static let forbidden = HTTPStatus(403)
  /// 404
  public static let notFound = HTTPStatus(404)
  /// 405
  public static let methodNotAllowed = HTTPStatus(405)
  /// 409
  public static let conflict = HTTPStatus(409)
  /// 410
  public static let gone = HTTPStatus(410)
  /// 413
  public static let contentTooLarge = HTTPStatus(413)
  /// 415
  public static let unsupportedMediaType = HTTPStatus(415)
  /// 416
  public static let rangeNotSatisfiable = HTTPStatus(416)
  /// 421
  public static let misdirectedRequest = HTTPStatus(421)
  /// 422
  public static let unprocessableContent = HTTPStatus(422)
  /// 429
  public static let tooManyRequests = HTTPStatus(429)
  /// 431
  public static let headerFieldsTooLarge = HTTPStatus(431)
  /// 500
  public static let internalServerError = HTTPStatus(500)
  /// 503
  public static let serviceUnavailable = HTTPStatus(503)
}

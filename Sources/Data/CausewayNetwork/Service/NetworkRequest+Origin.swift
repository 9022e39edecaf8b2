import Foundation

extension NetworkRequest {
  /// Returns why a successful response does not come from the service; `nil` if it does.
  ///
  /// Sign-in pages of hotels and login pages of proxies answer every request with status 200.
  ///
  /// - Parameters:
  ///   - response: A response whose status is a success.
  ///   - isIgnored: Whether the body is not decoded. In that case, decoding cannot detect a web
  ///     page.
  package func problem(of response: NetworkResponse, isIgnored: Bool = false) -> NetworkError? {
    let message: String
    if let answerMark, response.headers[answerMark] == nil {
      message = "the answer does not have the header field \(answerMark)"
    } else if isIgnored || !method.isSafe, !acceptsPages, response.isPage {
      message =
        "the answer is a web page, which does not show that the service has seen the request"
    } else {
      return nil
    }
    return NetworkError(
      .contentType, message: message, method: method, url: path.encoded, status: response.status,
      bodyExcerpt: isAnswerSecret ? nil : NetworkError.excerpt(of: response.body))
  }

  private var acceptsPages: Bool { headers["accept"]?.lowercased().contains("html") ?? false }
}

extension NetworkError {
  /// Whether the excerpt of the body shows that the server refuses a token.
  var excerptRefusesToken: Bool {
    guard let status else { return false }
    return NetworkResponse(status: status, body: Array((bodyExcerpt ?? "").utf8)).refusesToken
      ?? false
  }
}

extension NetworkResponse {
  /// Whether the response to a refresh refuses the token; `nil` for statuses other than 400 and
  /// 401.
  ///
  /// RFC 6749, section 5.2, names the codes in the body of status 400. Proxies and sign-in pages of
  /// networks answer with the same statuses, but not with such a body.
  package var refusesToken: Bool? {
    switch status {
    case 400:
      let failure = try? JSONDecoder().decode(TokenFailure.self, from: Data(body))
      return failure?.error == "invalid_grant" || failure?.error == "invalid_client"
    case 401: return !isPage
    default: return nil
    }
  }

  /// Whether the body is a web page: by its media type, or by its first characters if it has no
  /// media type.
  fileprivate var isPage: Bool {
    guard !body.isEmpty else { return false }
    switch mediaType {
    case "text/html", "application/xhtml+xml":
      return true
    case "":
      let start = String(decoding: body.prefix(512), as: UTF8.self).lowercased()
        .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    default:
      return false
    }
  }
}

/// The body of an OAuth error response.
private struct TokenFailure: Decodable {
  var error: String
}

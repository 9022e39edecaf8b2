public import Foundation

/// An error that becomes a response: problem details as JSON (RFC 9457).
///
/// A route that throws a problem answers with it.
public struct Problem: Error, Sendable {
  /// The response's status.
  public var status: HTTPStatus
  /// A short identifier that programs can compare, such as `unknown-session`.
  public var code: String
  /// A sentence that names the problem and its fix.
  public var detail: String
  /// Header fields that go with the response, such as `Retry-After`.
  public var headers: HTTPHeaders
  /// Members in addition to the standard members.
  var members: [String: JSONValue] = [:]

  /// A problem with a status, an identifier for programs, and a sentence for people.
  public init(_ status: HTTPStatus, code: String, detail: String, headers: HTTPHeaders = [:]) {
    self.status = status
    self.code = code
    self.detail = detail
    self.headers = headers
  }

  /// A 400: the request is malformed.
  public static func badRequest(_ detail: String) -> Problem {
    Problem(.badRequest, code: "bad-request", detail: detail)
  }

  /// A 404: there is no resource at this address.
  public static func notFound(_ detail: String) -> Problem {
    Problem(.notFound, code: "not-found", detail: detail)
  }

  /// The response that carries the problem.
  public var response: Response {
    var document = members
    document["status"] = .integer(Int64(status.code))
    document["code"] = .string(code)
    document["detail"] = .string(detail)
    var response = Response(
      status, headers: headers, body: .bytes(JSONValue.object(document).serialized()))
    response.headers["Content-Type"] = "application/problem+json"
    return response
  }
}

extension Problem {
  /// The response to a request: an HTML page for a browser that opens an address, JSON for a
  /// program.
  func response(to request: Request) -> Response {
    guard request.method.isSafe,
      request.headers["Accept"]?.prefix(200).contains("text/html") == true
    else {
      return response
    }
    var page = Response.html(
      """
      <!doctype html><html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,"><title>\(status.code)</title>
      <main><h1>This page cannot be shown</h1><p>\(HTML.escape(detail))</p><p><a href="">Try again</a> or <a href="/">go to the start</a></p></main>
      </html>
      """, status: status)
    for field in headers { page.headers[field.name] = field.value }
    return page
  }
}

extension Problem: CustomStringConvertible {
  /// The status, the identifier and the sentence.
  public var description: String { "\(status.code) \(code): \(detail)" }
}

extension Problem: LocalizedError {
  /// The sentence for people.
  public var errorDescription: String? { detail }
}

/// The request methods that a route can answer.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// Whether the method promises not to change anything (RFC 9110, section 9.2.1).
  var isSafe: Bool { self == .get || self == .head }
}

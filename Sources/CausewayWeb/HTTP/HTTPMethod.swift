/// The request methods that a route can answer.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  /// Reads a resource.
  case get = "GET"
  /// Reads the answer to `get` without its body.
  case head = "HEAD"
  /// Sends a body that the resource processes.
  case post = "POST"
  /// Creates or replaces a resource.
  case put = "PUT"
  /// Changes a part of a resource.
  case patch = "PATCH"
  /// Removes a resource.
  case delete = "DELETE"

  /// Whether the method promises not to change anything (RFC 9110, section 9.2.1).
  var isSafe: Bool { self == .get || self == .head }
}

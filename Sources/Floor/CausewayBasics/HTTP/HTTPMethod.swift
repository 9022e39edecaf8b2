/// The method of a request.
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
  /// Asks for the allowed methods.
  case options = "OPTIONS"

  /// Whether the method promises not to change anything (RFC 9110, section 9.2.1).
  package var isSafe: Bool {
    switch self {
    case .get, .head, .options: true
    case .post, .put, .patch, .delete: false
    }
  }

  /// Whether sending the request twice has the same effect as sending it once.
  package var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options: true
    case .post, .patch: false
    }
  }
}

public import CausewayWeb

/// The reason why an inspector could not start.
public enum InspectorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The ring's file cannot be made.
  case ring(path: String, reason: String)
  /// The page cannot be served.
  case page(WebServerError)

  /// A sentence that names the problem.
  public var description: String {
    switch self {
    case .ring(let path, let reason):
      "The inspector cannot make its file \(path): \(reason). Choose a file in a folder that exists."
    case .page(let error): "The inspector's page cannot be served: \(error)"
    }
  }
}

import CausewayWeb

/// An error with the request during which it happened, for the log.
struct RequestError: Error, CustomStringConvertible {
  @TaskLocal private static var current: String?

  let request: String
  let error: any Error

  var description: String { "\(request): \(error)" }

  /// Makes a server name the request in each error that it reports.
  static func nameRequests(in configuration: inout WebServer.Configuration) {
    configuration.aroundRequest = { request, respond in
      let name = "\(request.method.rawValue) \(request.route ?? request.path)"
      return await $current.withValue(name) { await respond() }
    }
    configuration.reportError = { [report = configuration.reportError] error in
      report(current.map { RequestError(request: $0, error: error) } ?? error)
    }
  }
}

/// The last steps before a response is sent.
extension Site {
  /// Compresses a response that was ready at once.
  ///
  /// Such a response has a tag only if it is an asset. The compressed forms are stored, so each
  /// asset is compressed only once.
  func compressedAsset(_ response: Response, for request: Request) -> Response {
    guard response.headers["ETag"] != nil else { return response }
    return compression.compressed(response, for: request, isAsset: true)
  }

  /// Adds the default fields that the response does not set.
  ///
  /// A stream announces the interval of its heartbeats in seconds. So a client can notice early that
  /// the server is frozen or that the network is gone.
  func completed(_ response: Response) -> Response {
    var response = response
    func add(_ name: String, _ value: String) {
      if response.headers[name] == nil { response.headers[name] = value }
    }
    if case .stream = response.body {
      add("Heartbeat-Interval", "\(configuration.heartbeat / .seconds(1))")
    }
    add("Cache-Control", "no-store")
    add("Content-Security-Policy", configuration.contentSecurityPolicy.text)
    add("Cross-Origin-Opener-Policy", "same-origin")
    add("Cross-Origin-Resource-Policy", "same-origin")
    add("Referrer-Policy", "same-origin")
    add("X-Content-Type-Options", "nosniff")
    if configuration.contentSecurityPolicy.frameAncestors.isEmpty {
      add("X-Frame-Options", "DENY")
    }
    return response
  }

  /// The answer to a body that is larger than its route allows.
  static func tooLarge(limit: Int) -> Problem {
    Problem(
      .contentTooLarge, code: "body-too-large",
      detail: "The body must not be larger than \(limit) bytes.")
  }
}

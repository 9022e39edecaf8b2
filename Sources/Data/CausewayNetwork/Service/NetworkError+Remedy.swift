extension NetworkError {
  /// A sentence that tells how to fix the error.
  public var remedy: String {
    switch kind {
    case .invalidRequest:
      "Correct the request."
    case .notConnected:
      "Try again when there is a network."
    case .cannotConnect:
      "Check the addresses of the service and of its proxy, if any, and that they run."
    case .connectionLost:
      "Try again; if the request changes something, with the same idempotency key."
    case .timedOut:
      "Try again later, or raise the timeout of the request or the deadline of the service."
    case .insecure:
      "Check the server's certificate and this machine's clock."
    case .redirect:
      "Give the service the address that the server redirects to."
    case .status:
      statusRemedy
    case .tooLarge:
      "Request less data at a time, download to a file, or raise the body limit."
    case .contentType:
      "Check the path, and whether a proxy or a sign-in page answers instead of the service."
    case .malformed:
      "Check the server, or the proxy in front of it: its response is not valid."
    case .encoding:
      "Use only values in the body that JSON can express."
    case .decoding:
      "Make the response type match the server's response."
    case .notSignedIn:
      "Sign in, then try again."
    case .tokenUnavailable:
      "Try again later; no new sign-in is needed."
    case .eventStream:
      "Send shorter events from the server, or raise the limit."
    case .file:
      "Check that the folder exists, has space, and that the process may use it."
    case .closed:
      "Make a new service."
    case .other:
      "Read the message, which comes from the system."
    }
  }

  private var statusRemedy: String {
    switch status {
    case 401: "Sign in, then try again."
    case 403: "Use an account that may do this."
    case 404, 410: "Check the path, and whether the resource still exists."
    case 409, 412: "Load the resource again and repeat the change on its current version."
    case 429: "Send fewer requests; see `retryAfter`."
    case .some(500...599): "Try again later; the failure is the server's."
    default: "Correct the request; the body says what the server does not accept."
    }
  }

  /// Returns an address without the user, the fragment, and the values of the query.
  package static func redacted(_ url: String) -> String {
    var text = Substring(url)
    if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
    var query: Substring?
    if let mark = text.firstIndex(of: "?") {
      query = text[text.index(after: mark)...]
      text = text[..<mark]
    }
    var shown = String(text)
    if let authority = shown.firstRange(of: "://")?.upperBound {
      let end = shown[authority...].firstIndex(of: "/") ?? shown.endIndex
      if let at = shown[authority..<end].lastIndex(of: "@") {
        shown.removeSubrange(authority...at)
      }
    }
    guard let query else { return shown }
    let names = query.split(separator: "&").map { item in
      item.firstIndex(of: "=").map { "\(item[..<$0])=…" } ?? "…"
    }
    return "\(shown)?\(names.joined(separator: "&"))"
  }

  /// Returns the beginning of a body in one line, without control characters and without a secret.
  package static func excerpt(of body: [UInt8], hiding secret: String? = nil) -> String {
    // The text is much longer than the excerpt. A secret that is cut off at the end of the text
    // cannot be recognised, but it is then not part of the excerpt.
    var text = String(decoding: body.prefix(4096), as: UTF8.self)
    if let secret, !secret.isEmpty {
      text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
    }
    let line = String(
      text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
    return line.count > 512 ? "\(line.prefix(511))…" : line
  }
}

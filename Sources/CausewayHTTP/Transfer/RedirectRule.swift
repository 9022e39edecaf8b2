import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where a server may send a request on to.
///
/// The system alone would follow a loop, and on Linux hand the token to another server.
struct RedirectRule: Sendable {
  let limit: Int

  /// The request to send next, or why it is not sent.
  ///
  /// - Parameters:
  ///   - proposed: What the system would send.
  ///   - original: What was sent first.
  ///   - count: How often the request was sent on before.
  func next(
    _ proposed: URLRequest, from original: URLRequest?, count: Int
  ) -> Result<URLRequest, Refusal> {
    guard count < limit else {
      return .failure(Refusal(reason: "it was redirected more than \(limit) times"))
    }
    guard let target = proposed.url, let scheme = target.scheme?.lowercased(),
      scheme == "https" || scheme == "http"
    else {
      return .failure(Refusal(reason: "it was redirected to something else than http"))
    }
    let source = original?.url
    if source?.scheme?.lowercased() == "https", scheme == "http" {
      return .failure(Refusal(reason: "it was redirected from https to http"))
    }
    var next = proposed
    if Self.origin(of: source) != Self.origin(of: target) {
      for name in (next.allHTTPHeaderFields ?? [:]).keys
      where !Self.harmless.contains(name.lowercased()) {
        next.setValue(nil, forHTTPHeaderField: name)
      }
    }
    return .success(next)
  }

  struct Refusal: Error {
    let reason: String
  }

  /// What another server may know.
  ///
  /// Any other field may be a secret, for example the key of an app.
  private static let harmless: Set = ["accept", "accept-language", "content-type", "user-agent"]

  private static func origin(of url: URL?) -> [String] {
    let scheme = url?.scheme?.lowercased() ?? ""
    let port = url?.port ?? (scheme == "https" ? 443 : 80)
    return [scheme, url?.host?.lowercased() ?? "", String(port)]
  }
}

import CausewayData
import Foundation

/// Where a server may send a request on to, and what of it goes there.
///
/// Left alone, the system and libcurl would follow a loop, and hand secrets to another server.
struct RedirectRule: Sendable {
  let limit: Int

  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// The request to send after an answer, `nil` if the answer is not a redirect.
  ///
  /// 307 and 308 repeat the request. So do the others for methods that browsers repeat; a POST, and
  /// with 303 everything but HEAD, becomes a GET without a body (RFC 9110, 15.4).
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - request: What was answered.
  ///   - count: How often the request was sent on before.
  func next(
    after response: NetworkResponse, to request: WireRequest, count: Int
  ) throws(Refusal) -> WireRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["location"]
    else { return nil }
    guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL else {
      throw Refusal(reason: "it was redirected to something that is no address")
    }
    var next = request
    next.url = target
    let becomesGet =
      switch response.status {
      case 301, 302: request.method == .post
      case 303: request.method != .head
      default: false
      }
    if becomesGet {
      next.method = .get
      next.body = .none
      next.isRepeatable = true
      next.headers["content-type"] = nil
    }
    let hasBody = next.body != .none
    next.headers = try headers(
      next.headers, from: request.url, to: target, hasBody: hasBody, count: count)
    return next
  }

  /// The header fields that go along.
  ///
  /// - Parameters:
  ///   - headers: Those of the request.
  ///   - source: Who redirects.
  ///   - target: To where.
  ///   - hasBody: Whether the body of the request would be sent again.
  ///   - count: How often the request was sent on before.
  func headers(
    _ headers: NetworkHeaders, from source: URL?, to target: URL?, hasBody: Bool, count: Int
  ) throws(Refusal) -> NetworkHeaders {
    guard count < limit else {
      throw Refusal(reason: "it was redirected more than \(limit) times")
    }
    guard let target, let scheme = target.scheme?.lowercased(), target.host != nil,
      scheme == "https" || scheme == "http"
    else {
      throw Refusal(reason: "it was redirected to something else than http")
    }
    if source?.scheme?.lowercased() == "https", scheme == "http" {
      throw Refusal(reason: "it was redirected from https to http")
    }
    if Self.origin(of: source) == Self.origin(of: target) { return headers }
    // The body may hold a password or a token as well as the header fields.
    if hasBody {
      throw Refusal(reason: "it was redirected to another server, which would get its body")
    }
    return NetworkHeaders(headers.sorted.filter { Self.harmless.contains($0.name) })
  }

  /// What another server may know.
  ///
  /// Any other field may be a secret, for example the key of an app. Without the key of a mutation
  /// it could be made twice, and without the last id an event stream would leave out events.
  private static let harmless: Set = [
    "accept", "accept-language", "cache-control", "content-type", "idempotency-key",
    "last-event-id", "user-agent",
  ]

  private static func origin(of url: URL?) -> [String] {
    let scheme = url?.scheme?.lowercased() ?? ""
    let port = url?.port ?? (scheme == "https" ? 443 : 80)
    return [scheme, url?.host?.lowercased() ?? "", String(port)]
  }
}

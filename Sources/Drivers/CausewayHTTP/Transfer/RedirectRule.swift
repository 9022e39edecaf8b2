import CausewayNetwork
import Foundation

/// Decides which redirects are followed, and which header fields the next request keeps.
///
/// Without this rule, the system and libcurl would follow loops and send secrets to other servers.
/// They would also accept a login page as the response to a change.
struct RedirectRule: Sendable {
  let limit: Int

  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// Returns the request to send after a redirect, or `nil` if the response is not a redirect.
  ///
  /// A redirect with status 307 or 308 repeats the request. The status codes 301 and 302 do the
  /// same, except for a POST. Status 303 changes every method except HEAD to GET (RFC 9110, 15.4).
  /// If the original method changes something, the switch to GET is an error, because the response
  /// to the GET does not confirm the change.
  ///
  /// - Parameters:
  ///   - response: The response that may be a redirect.
  ///   - request: The request that caused the response.
  ///   - count: The number of earlier redirects of this request.
  func next(
    after response: NetworkResponse, to request: WireRequest, count: Int
  ) throws(Refusal) -> WireRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["location"]
    else { return nil }
    guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL else {
      throw Refusal(reason: "it was redirected to an invalid address")
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
      next.headers["content-type"] = nil
    }
    let hasBody = next.body != .none
    next.headers = try headers(
      next.headers, of: request.method, as: next.method, from: request.url, to: target,
      hasBody: hasBody, count: count)
    return next
  }

  /// Returns the header fields of the redirected request.
  ///
  /// - Parameters:
  ///   - headers: The header fields of the request.
  ///   - method: The method of the request.
  ///   - nextMethod: The method of the redirected request.
  ///   - source: The address that redirects.
  ///   - target: The address that it redirects to.
  ///   - hasBody: Whether the redirected request would have a body.
  ///   - count: The number of earlier redirects of this request.
  func headers(
    _ headers: NetworkHeaders, of method: HTTPMethod,
    as nextMethod: HTTPMethod, from source: URL?, to target: URL?, hasBody: Bool,
    count: Int
  ) throws(Refusal) -> NetworkHeaders {
    guard method.isSafe || nextMethod == method else {
      throw Refusal(
        reason: "it was redirected in a way that turns a \(method.rawValue) into a "
          + "\(nextMethod.rawValue), so nothing shows that the change was made")
    }
    guard count < limit else {
      throw Refusal(reason: "it was redirected more than \(limit) times")
    }
    guard let target, let scheme = target.scheme?.lowercased(), target.host != nil,
      scheme == "https" || scheme == "http"
    else {
      throw Refusal(reason: "it was redirected to an address that is not http or https")
    }
    if source?.scheme?.lowercased() == "https", scheme == "http" {
      throw Refusal(reason: "it was redirected from https to http")
    }
    if Self.origin(of: source) == Self.origin(of: target) { return headers }
    guard method.isSafe else {
      throw Refusal(
        reason: "a \(method.rawValue) was redirected to another server, which would get its body "
          + "and cannot confirm the change")
    }
    // The body may contain a password or a token, just as the header fields may.
    if hasBody {
      throw Refusal(reason: "it was redirected to another server, which would get its body")
    }
    return NetworkHeaders(headers.sorted.filter { Self.harmless.contains($0.name) })
  }

  /// The header fields that are also sent to another origin.
  ///
  /// Any other field may be a secret, for example an API key. The idempotency key is kept: without
  /// it, a server could perform a mutation twice. The last event id is kept: without it, an event
  /// stream would lose events.
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

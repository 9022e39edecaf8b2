import CausewayData
import Foundation

/// Which redirects are followed, and what of the request goes along.
///
/// Without it, the system and libcurl follow loops, send secrets to other servers, and take the answer
/// of a login page for the answer to a change.
struct RedirectRule: Sendable {
  let limit: Int

  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// The request to send after an answer, `nil` if the answer is not a redirect.
  ///
  /// 307 and 308 repeat the request. So do 301 and 302, except for a POST. With 303 every method but
  /// HEAD becomes a GET (RFC 9110, 15.4); for a method that changes something that is an error,
  /// because the answer to the GET does not show that the change was made.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - request: What was answered.
  ///   - count: How often the request was redirected before.
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
      next.headers["content-type"] = nil
    }
    let hasBody = next.body != .none
    next.headers = try headers(
      next.headers, of: request.method, as: next.method, from: request.url, to: target,
      hasBody: hasBody, count: count)
    return next
  }

  /// The header fields of the redirected request.
  ///
  /// - Parameters:
  ///   - headers: The header fields of the request.
  ///   - method: The method of the request.
  ///   - nextMethod: The method with which the request would be sent again.
  ///   - source: The address that redirects.
  ///   - target: The address that it redirects to.
  ///   - hasBody: Whether the body of the request would be sent again.
  ///   - count: How often the request was redirected before.
  func headers(
    _ headers: NetworkHeaders, of method: NetworkRequest.Method,
    as nextMethod: NetworkRequest.Method, from source: URL?, to target: URL?, hasBody: Bool,
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
      throw Refusal(reason: "it was redirected to something else than http")
    }
    if source?.scheme?.lowercased() == "https", scheme == "http" {
      throw Refusal(reason: "it was redirected from https to http")
    }
    if Self.origin(of: source) == Self.origin(of: target) { return headers }
    guard method.isSafe else {
      throw Refusal(
        reason: "a \(method.rawValue) was redirected to another server, which would get its body "
          + "and cannot answer for this one")
    }
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

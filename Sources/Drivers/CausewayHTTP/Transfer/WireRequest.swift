import CausewayNetwork
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request as it is sent to a server: with its full address and all header fields.
struct WireRequest: Sendable {
  var method: HTTPMethod
  var url: URL
  var headers: NetworkHeaders
  var body: NetworkRequest.Body
  /// Whether the request may be sent again if its outcome is unknown.
  var isRepeatable: Bool
  /// Whether the server may compress the response.
  ///
  /// It is false for event streams: compression delays events, and there is no limit for unpacked
  /// bytes that wait for a slow consumer. Only the transport with libcurl uses this value.
  var acceptsCompression = true

  /// The system's request, without the body.
  var system: URLRequest {
    var system = URLRequest(url: url)
    system.httpMethod = method.rawValue
    system.httpShouldHandleCookies = false
    for (name, value) in headers.sorted { system.setValue(value, forHTTPHeaderField: name) }
    return system
  }
}

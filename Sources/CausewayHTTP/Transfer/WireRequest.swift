import CausewayData
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request as it goes to a server: with its whole address and all header fields.
struct WireRequest: Sendable {
  var method: NetworkRequest.Method
  var url: URL
  var headers: NetworkHeaders
  var body: NetworkRequest.Body
  /// Whether it may be sent again when its outcome is unknown.
  var isRepeatable: Bool
  /// Whether the server may compress the answer.
  ///
  /// Not for streams of events: what compresses holds back what has to arrive now, and what is
  /// unpacked for a consumer that lags has no limit. Only the transport by libcurl asks.
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

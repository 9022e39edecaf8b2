package import CausewayData
package import CausewayWeb
import Foundation

/// Requests of a device in the same process.
extension Backend {
  /// Answers a request as the server would; the server does not need to run.
  ///
  /// - Throws: `NetworkError` for a request that only a connection could carry.
  package func answer(to request: NetworkRequest) async throws(NetworkError) -> Response {
    guard let method = HTTPMethod(rawValue: request.method.rawValue) else {
      throw NetworkError(
        .invalidRequest, message: "the server does not know the method \(request.method.rawValue)")
    }
    var headers = HTTPHeaders()
    for (name, value) in request.headers.sorted { headers[name] = value }
    if let key = request.idempotencyKey { headers["Idempotency-Key"] = key.rawValue }
    var body = Data()
    switch request.body {
    case .none: break
    case .bytes(let bytes, let type):
      body = Data(bytes)
      headers["Content-Type"] = type
    case .file(let path, _):
      throw NetworkError(.invalidRequest, message: "send the bytes of \(path) and not the file")
    }
    let received = Request(method, request.address(below: ""), headers: headers)
    return await server.respond(to: received) { [body] _ in body }
  }
}

package import CausewayData
package import CausewayWeb
import Foundation

/// Requests of a device in the same process.
extension Backend {
  /// The answer to a request: a whole response, or the events of a stream.
  package struct Answer: Sendable {
    package var response: NetworkResponse
    package var events: AsyncThrowingStream<ServerSentEvent, any Error>?
  }

  /// Answers a request as the server would; the server does not need to run.
  ///
  /// - Throws: `NetworkError` for a request that only a connection could carry.
  package func answer(to request: NetworkRequest) async throws(NetworkError) -> Answer {
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
    let answer = await server.respond(to: received) { [body] _ in body }
    return Answer(
      response: NetworkResponse(
        status: answer.status.code,
        headers: NetworkHeaders(answer.headers.map { ($0.name, $0.value) }),
        // The bytes of a stream never end.
        body: answer.contentLength == nil ? [] : (try? await answer.bytes) ?? []),
      events: answer.events)
  }
}

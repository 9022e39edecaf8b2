import CausewayData
import CausewayHTTP
import CausewayWeb
import HarborBackend

/// Passes the requests of a device to the backend of the same process, without HTTP.
///
/// The network service of the device keeps its tokens, retries, timeouts and event streams, and the
/// backend checks each request as if it came through a socket. A cancelled request also ends its
/// work in the backend.
struct BackendCarrier: RequestCarrier {
  let backend: Backend

  func start(
    _ request: NetworkRequest, receive: @escaping @Sendable (AnswerPart) -> Bool
  ) -> @Sendable () -> Void {
    let task = Task { @concurrent in _ = receive(.end(await pass(request, to: receive))) }
    return { task.cancel() }
  }

  /// Passes the answer, and returns the error that ends it.
  ///
  /// The chunks of an event stream contain the heartbeats of the server.
  private func pass(
    _ request: NetworkRequest, to receive: @Sendable (AnswerPart) -> Bool
  ) async -> NetworkError? {
    let answer: Response
    do throws(NetworkError) {
      answer = try await backend.answer(to: request)
    } catch {
      return error
    }
    let head = NetworkResponse(
      status: answer.status.code,
      headers: NetworkHeaders(answer.headers.map { ($0.name, $0.value) }))
    guard receive(.head(head, length: answer.contentLength)) else { return nil }
    do {
      for try await bytes in answer.chunks where !receive(.bytes(bytes)) { break }
      return nil
    } catch {
      return NetworkError(.connectionLost, message: "\(error)")
    }
  }
}

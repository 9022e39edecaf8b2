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
  private func pass(
    _ request: NetworkRequest, to receive: @Sendable (AnswerPart) -> Bool
  ) async -> NetworkError? {
    let answer: Backend.Answer
    do throws(NetworkError) {
      answer = try await backend.answer(to: request)
    } catch {
      return error
    }
    guard let events = answer.events else {
      let body = answer.response.body
      var head = answer.response
      head.body = []
      if receive(.head(head, length: body.count)), !body.isEmpty { _ = receive(.bytes(body)) }
      return nil
    }
    guard receive(.head(answer.response, length: nil)) else { return nil }
    do {
      for try await event in events where !receive(.bytes(event.bytes)) { break }
      return nil
    } catch {
      return NetworkError(.connectionLost, message: "\(error)")
    }
  }
}

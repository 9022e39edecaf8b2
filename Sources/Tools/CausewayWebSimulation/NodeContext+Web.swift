import CausewayNetwork
public import CausewaySimulation
public import CausewayWeb
import Foundation

extension NodeContext {
  /// Answers the requests of other nodes with the routes of a web server, until the node crashes.
  ///
  /// The server checks and answers each request as it would with a socket, but it must not be
  /// started. Event streams of ``CausewayWeb/Response/events(_:headers:)`` are served too. The
  /// streams of pages are not served: a request for such a stream gets status 501.
  ///
  /// - Parameter server: The server.
  public func serve(_ server: WebServer) {
    serve(answering: { request in
      var headers = HTTPHeaders()
      for (name, value) in request.headers.sorted { headers[name] = value }
      if let key = request.idempotencyKey { headers["Idempotency-Key"] = key.rawValue }
      var body = Data()
      if case .bytes(let bytes, let type) = request.body {
        body = Data(bytes)
        headers["Content-Type"] = type
      }
      let received = Request(request.method, request.address(below: ""), headers: headers)
      let answer = await server.respond(to: received) { [body] _ in body }
      if let events = answer.events { return .events(NetworkEvents(base: events)) }
      if answer.headers["Content-Type"] == "text/event-stream" {
        return .response(NetworkResponse(status: 501))
      }
      return .response(
        NetworkResponse(
          status: answer.status.code,
          headers: NetworkHeaders(answer.headers.map { ($0.name, $0.value) }),
          body: (try? await answer.bytes) ?? []))
    })
  }
}

/// The events of a web server, as a client reads them.
private struct NetworkEvents: AsyncSequence, Sendable {
  let base: AsyncThrowingStream<ServerSentEvent, any Error>

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<ServerSentEvent, any Error>.AsyncIterator

    mutating func next() async throws -> NetworkEvent? { try await next(isolation: #isolation) }

    mutating func next(isolation: isolated (any Actor)?) async throws -> NetworkEvent? {
      guard let event = try await base.next(isolation: isolation) else { return nil }
      return NetworkEvent(id: event.id ?? "", name: event.name ?? "message", data: event.data)
    }
  }
}

public import CausewayNetwork

extension NetworkConformance {
  /// Returns the response of the suite's server.
  ///
  /// The service under test needs a server that returns these responses. For a service that uses a
  /// network, provide such a server on a loopback port. For a test double, use ``script(_:)``.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - target: The path of the request, with or without a query.
  ///   - headers: The header fields of the request.
  ///   - body: The body of the request.
  /// - Returns: The response; `nil` if the server must not respond until the client disconnects.
  public static func answer(
    to method: String, _ target: String, headers: NetworkHeaders, body: [UInt8]
  ) -> NetworkResponse? {
    let path = target.prefix { $0 != "?" }
    switch "\(method) \(path)" {
    case "GET /text":
      return NetworkResponse(
        status: 200, headers: ["content-type": "text/plain"], body: Array("grüß dich".utf8))
    case "GET /ship":
      return NetworkResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: Array(#"{"name":"Ada","length":12}"#.utf8))
    case "POST /echo", "PUT /echo":
      return NetworkResponse(
        status: 201, headers: ["content-type": headers["content-type"] ?? ""], body: body)
    case "DELETE /ship":
      return NetworkResponse(status: 204)
    case "GET /large":
      return NetworkResponse(status: 200, body: [UInt8](repeating: 120, count: 100_000))
    case "GET /missing":
      return NetworkResponse(status: 404, body: Array("no such ship".utf8))
    case "POST /portal":
      return NetworkResponse(
        status: 200, headers: ["content-type": "text/html"], body: Array("<h1>Sign in</h1>".utf8))
    case "GET /never":
      return nil
    case "GET /events" where headers["last-event-id"] == "2":
      return NetworkResponse(status: 204)
    case "GET /events":
      return NetworkResponse(
        status: 200, headers: ["content-type": "text/event-stream"],
        body: Array("id: 1\ndata: a\n\nevent: move\nid: 2\ndata: b\ndata: c\n\n".utf8))
    default:
      return NetworkResponse(status: 400, body: Array("not in the suite".utf8))
    }
  }

  /// Scripts a test double with the responses of the suite's server.
  public static func script(_ service: ScriptedNetworkService) {
    let routes: [(HTTPMethod, NetworkPath)] = [
      (.get, "/text"), (.get, "/ship"), (.post, "/echo"), (.put, "/echo"), (.delete, "/ship"),
      (.get, "/large"), (.get, "/missing"), (.get, "/never"), (.post, "/portal"),
    ]
    for (method, path) in routes {
      service.on(
        method, path,
        .closure { request in
          var (headers, body) = (request.headers, [UInt8]())
          if case .bytes(let bytes, let type) = request.body {
            (body, headers["content-type"]) = (bytes, type)
          }
          if let answer = answer(
            to: request.method.rawValue, request.path.encoded, headers: headers, body: body)
          {
            return answer
          }
          // The stream has no elements, so the loop ends when the task is cancelled.
          for await _ in AsyncStream<Void>.makeStream().stream {}
          throw CancellationError()
        })
    }
    service.on(
      .get, "/events",
      .events([
        NetworkEvent(id: "1", data: "a"), NetworkEvent(id: "2", name: "move", data: "b\nc"),
      ]))
  }
}

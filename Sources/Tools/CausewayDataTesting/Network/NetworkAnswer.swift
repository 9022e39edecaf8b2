public import CausewayNetwork

/// A scripted response of a ``ScriptedNetworkService``.
public struct NetworkAnswer: Sendable {
  let respond: @Sendable (NetworkRequest, JSONCoding) async throws -> NetworkResponse
  let stream: @Sendable (NetworkRequest) throws -> NetworkEventStream

  private init(
    respond: @escaping @Sendable (NetworkRequest, JSONCoding) async throws -> NetworkResponse,
    stream: (@Sendable (NetworkRequest) throws -> NetworkEventStream)? = nil
  ) {
    self.respond = respond
    self.stream =
      stream ?? { _ in
        throw NetworkError(
          .contentType, message: "the script has an answer for this request, but no event stream")
      }
  }

  /// Responds with a status and a text.
  public static func status(
    _ status: Int, headers: NetworkHeaders = [:], _ text: String = ""
  ) -> Self {
    .bytes(Array(text.utf8), status: status, headers: headers)
  }

  /// Responds with bytes.
  public static func bytes(
    _ bytes: [UInt8], status: Int = 200, headers: NetworkHeaders = [:]
  ) -> Self {
    let response = NetworkResponse(status: status, headers: headers, body: bytes)
    return Self(
      respond: { _, _ in response },
      stream: { _ in
        if status == 204 { return NetworkEventStream { nil } }
        throw NetworkError(
          (200...299).contains(status) ? .contentType : .status,
          message: "the server answered \(status) without an event stream", status: status)
      })
  }

  /// Responds with the JSON of a value.
  public static func json(_ value: some Encodable & Sendable, status: Int = 200) -> Self {
    Self { _, coding in
      NetworkResponse(
        status: status, headers: ["content-type": "application/json"],
        body: try coding.encode(value))
    }
  }

  /// Throws an error.
  public static func failure(_ error: NetworkError) -> Self {
    Self { _, _ in
      throw error
    } stream: { _ in
      throw error
    }
  }

  /// Responds with the result of a closure.
  ///
  /// The closure may wait, for example for a gate.
  public static func closure(
    _ respond: @escaping @Sendable (NetworkRequest) async throws -> NetworkResponse
  ) -> Self {
    Self { request, _ in try await respond(request) }
  }

  /// Responds with events and then ends the stream.
  public static func events(_ events: [NetworkEvent]) -> Self {
    .stream { _ in
      NetworkEventStream { continuation in
        for event in events { continuation.yield(event) }
        continuation.finish()
      }
    }
  }

  /// Responds with a stream to which the test sends events.
  public static func stream(
    _ stream: @escaping @Sendable (NetworkRequest) throws -> NetworkEventStream
  ) -> Self {
    Self { request, _ in
      throw NetworkError(
        .invalidRequest, message: "the script has an event stream for this request, but no answer",
        method: request.method)
    } stream: { request in
      try stream(request)
    }
  }
}

/// Opens the scripted stream when the consumer requests the first event, like a real service.
actor EventFeed {
  private let open: @Sendable () throws -> NetworkEventStream
  private var iterator: NetworkEventStream.AsyncIterator?

  init(_ open: @escaping @Sendable () throws -> NetworkEventStream) {
    self.open = open
  }

  func next() async throws -> NetworkEvent? {
    var current = try iterator ?? open().makeAsyncIterator()
    let event = try await current.next(isolation: self)
    iterator = current
    return event
  }
}

extension Response {
  /// An event stream that sends the elements of a sequence until it ends.
  ///
  /// The stream requests the next element only while the client keeps up. It cancels the sequence
  /// when the client disconnects. An error of the sequence ends the stream. While there are no
  /// events, the server sends comments as heartbeats. The sequence is iterated off the main actor.
  public static func events<Events: AsyncSequence & Sendable>(
    _ events: Events, headers: HTTPHeaders = [:]
  ) -> Response where Events.Element == ServerSentEvent {
    .eventStream(SequenceSource(events), headers: headers)
  }

  static func eventStream(
    _ source: any StreamSource, headers: HTTPHeaders = [:]
  ) -> Response {
    var response = Response(.ok, headers: headers, body: .stream(source))
    response.headers["Content-Type"] = "text/event-stream"
    // Proxies that buffer responses would delay events.
    response.headers["X-Accel-Buffering"] = "no"
    return response
  }
}

extension Response {
  /// The events of ``events(_:headers:)``; nil for any other response.
  package var events: AsyncThrowingStream<ServerSentEvent, any Error>? {
    guard case .stream(let source) = body else { return nil }
    let base = (source as? OwnedSource)?.base ?? source
    return (base as? any EventSource)?.stream()
  }
}

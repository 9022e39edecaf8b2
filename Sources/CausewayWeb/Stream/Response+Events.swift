extension Response {
  /// An event stream that sends the elements of a sequence until it ends.
  ///
  /// The sequence is asked for its next element only while the reader keeps up, and is cancelled
  /// when the reader is gone. An error of the sequence ends the stream. Comments are sent as
  /// heartbeats while there is nothing else to send. Elements are taken off the main actor.
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
    // Proxies that collect responses would hold events back.
    response.headers["X-Accel-Buffering"] = "no"
    return response
  }
}

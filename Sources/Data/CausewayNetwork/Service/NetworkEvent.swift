/// One event of a server's event stream.
public struct NetworkEvent: Sendable, Hashable {
  /// The id of the stream at this event.
  ///
  /// After a lost connection, the stream resumes after this id.
  public var id: String
  /// The type of the event; `message` if the server sent none.
  public var name: String
  /// The content of the event.
  public var data: String

  /// Makes an event.
  public init(id: String = "", name: String = "message", data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}

/// The events of a server, for one consumer.
///
/// The request is sent when iteration begins. The connection is closed when the server ends the
/// stream, when the consumer's task is cancelled, or when the stream is released.
public typealias NetworkEventStream = AsyncThrowingStream<NetworkEvent, any Error>

/// The state of the connection of an event stream.
public enum NetworkConnection: Sendable, Hashable {
  /// The request was sent, and the server has not responded.
  case connecting
  /// The server sends events.
  case open
  /// The connection has ended; the stream connects again after the delay.
  case waiting(Duration)
  /// The stream has ended: the server ended it, it failed, or its consumer released it.
  case closed

  /// Receives the states in order, on any thread.
  ///
  /// It must not block.
  public typealias Observer = @Sendable (NetworkConnection) -> Void
}

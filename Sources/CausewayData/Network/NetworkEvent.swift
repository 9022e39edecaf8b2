/// One event of a server's event stream.
public struct NetworkEvent: Sendable, Hashable {
  /// The stream's last id at this event; after a break the stream resumes after it.
  public var id: String
  /// The name of its sort, `message` if the server gave none.
  public var name: String
  /// Its content.
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
/// The request is sent when iteration begins. The stream ends, and closes its connection, when the
/// server ends it, when its task is cancelled, or when the last reference goes away.
public typealias NetworkEventStream = AsyncThrowingStream<NetworkEvent, any Error>

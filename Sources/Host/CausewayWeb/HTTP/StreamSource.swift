/// The next step of a streamed response.
enum StreamStep {
  case bytes([UInt8])
  /// There are no bytes now. The source wakes its body when there are more.
  case wait
  case end
}

/// Produces the bytes of a streamed response at the pace of its client.
///
/// The body requests more bytes only when the client has taken all previous bytes. The buffer of a
/// source must be bounded, because a client can be slow.
protocol StreamSource: AnyObject, Sendable {
  /// Called once, before the first step. The source must wake the body after new bytes are ready.
  func opened(by body: StreamBody)

  /// Called by one reader at a time, on the polling thread or in a task. It must not block.
  func step() -> StreamStep

  /// Called once: when everything was sent, when the client has disconnected, or when the response
  /// never began.
  func closed()
}

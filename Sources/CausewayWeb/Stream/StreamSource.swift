/// What a streamed response has to send next.
enum StreamStep {
  case bytes([UInt8])
  /// Nothing now; the source wakes its body when there is more.
  case wait
  case end
}

/// Produces the bytes of a streamed response at the pace of its reader.
///
/// A source is asked for more bytes only when the reader has taken all bytes before. Its buffer must
/// be bounded, because a reader can be slow.
protocol StreamSource: AnyObject, Sendable {
  /// Called once, before the first step. The body is to be woken after new bytes are ready.
  func opened(by body: StreamBody)

  /// Called on the polling thread: must not block.
  func step() -> StreamStep

  /// Called once, when the reader is gone or all was sent, or when the response never began.
  func closed()
}

// Streams that end after one value.
extension AsyncStream {
  /// A stream of one value.
  public static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream of one value.
  public static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}

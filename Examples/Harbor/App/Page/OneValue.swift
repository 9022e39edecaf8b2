/// Streams that end after one value.
extension AsyncStream {
  static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}

extension AsyncThrowingStream where Failure == any Error {
  static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}

/// Streams that end after one value.
extension AsyncStream {
  package static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}

extension AsyncThrowingStream where Failure == any Error {
  package static func once(_ value: sending Element) -> Self {
    let (stream, continuation) = makeStream(of: Element.self)
    continuation.yield(value)
    continuation.finish()
    return stream
  }
}

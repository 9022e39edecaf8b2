extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
  /// Returns a stream of a closure's elements; a slow consumer gets only the newest element.
  ///
  /// ```swift
  /// let names = AsyncThrowingStream<[String], any Error>.newest { listener in
  ///   do {
  ///     for try await rows in query { listener.yield(rows.map(\.name)) }
  ///   } catch {
  ///     throw ScreenError.notRead(reason: "\(error)")
  ///   }
  /// }
  /// ```
  ///
  /// The closure runs in a task. The task is cancelled when the stream is released or its consumer
  /// is cancelled.
  ///
  /// - Parameter follow: Delivers the elements. The stream ends when the closure returns. If the
  ///   closure throws, the stream throws the same error.
  public static func newest(
    _ follow: @escaping @Sendable (Listener<Element>) async throws -> Void
  ) -> AsyncThrowingStream<Element, any Error> {
    let (stream, continuation) = makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
    let following = Task {
      do {
        try await follow(Listener(continuation))
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in following.cancel() }
    return stream
  }
}

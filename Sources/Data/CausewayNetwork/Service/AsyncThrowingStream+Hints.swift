import CausewayBasics

extension AsyncThrowingStream where Element == Void, Failure == any Error {
  /// Returns a hint for each element of any sequence, for example for ``RemoteSource/hints(_:)``.
  ///
  /// The function ignores the elements themselves. Hints that wait for a slow consumer are joined
  /// into one hint. The sequence is read until the stream is released or its consumer is cancelled.
  ///
  /// - Parameter sequence: A sequence that yields when something may have changed.
  public static func hints<Source: AsyncSequence & Sendable>(of sequence: Source) -> Self {
    hints { _ in sequence }
  }

  /// Returns a hint for each element of a sequence, and for each call of a closure.
  ///
  /// - Parameter makeSequence: Makes the sequence. It gets the closure, which any thread may call.
  static func hints<Source: AsyncSequence & Sendable>(
    _ makeSequence: @escaping @Sendable (_ hint: @escaping @Sendable () -> Void) -> Source
  ) -> Self {
    .newest { listener in
      for try await _ in makeSequence({ listener.yield(()) }) { listener.yield(()) }
    }
  }
}
